import type { InvoiceParties } from '../../../domain/invoices/parties.js';
import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { InvoiceRow } from './invoice.js';

/** SQL for the parties of an invoice as they are now. */
export const partiesNow = (workspaceId: string, companyId: string): string =>
  `(SELECT jsonb_build_object(
      'seller', jsonb_build_object('name', pw.name, 'details', pw.invoice_details, 'legal_name',
        pw.legal_name,
        'address', pw.legal_address, 'tax_number', pw.tax_number, 'tax_name', pw.tax_name),
      'payer', CASE WHEN pc.id IS NOT NULL THEN
        jsonb_build_object('name', pc.name, 'address', pc.address, 'vat_number', pc.vat_number) END)
    FROM workspaces pw LEFT JOIN companies pc ON pc.id = ${companyId} WHERE pw.id = ${workspaceId})`;

/** The parties of an invoice: those of its opening; of a draft, as they are now. */
export async function findParties(
  tx: Tx,
  { parties, workspace_id, company_id }: InvoiceRow,
): Promise<InvoiceParties> {
  if (parties) return parties;
  const sql = `SELECT ${partiesNow('$1', '$2::uuid')} AS parties`;
  return (await one<{ parties: InvoiceParties }>(tx, sql, [workspace_id, company_id])).parties;
}

import type { InvoiceParties } from '../../../domain/invoices/parties.js';
import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { InvoiceRow } from './invoice.js';

/** Returns the parties of an invoice as of its opening; for a draft, the current ones. */
export async function findParties(
  tx: Tx,
  { parties, workspace_id, company_id }: InvoiceRow,
): Promise<InvoiceParties> {
  if (parties) return parties;
  const sql = `SELECT invoice_parties($1, $2::uuid) AS parties`;
  return (await one<{ parties: InvoiceParties }>(tx, sql, [workspace_id, company_id])).parties;
}

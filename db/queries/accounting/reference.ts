import { accountingReference } from '../../../domain/invoices/invoice.js';
import { many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** An invoice whose reference does not have the fixed format, in the ledger or in the accounting system. */
export interface OtherReference {
  invoice_id: string;
  workspace_id: string;
  from: string;
  to: string;
}

/**
 * Returns the invoices with another reference than the fixed one, here or in the last known state of the
 * accounting system (docs/rules/accounting.md#references), and how many were examined.
 */
export async function findOtherReferences(
  tx: Tx,
  workspaceId: string | undefined,
): Promise<{ examined: number; references: OtherReference[] }> {
  const { examined } = await one<{ examined: number }>(
    tx,
    `SELECT count(*)::int AS examined FROM invoices WHERE $1::text IS NULL OR workspace_id = $1`,
    [workspaceId ?? null],
  );
  const rows = await many<{
    id: string;
    workspace_id: string;
    number: number;
    reference: string | null;
    ours: string;
    from: string;
  }>(
    tx,
    `SELECT id, workspace_id, number, reference, ours,
              CASE WHEN ours !~ format THEN ours ELSE theirs END AS "from"
       FROM (
         SELECT i.*, i.accounting_reference AS ours, d.reference AS theirs,
                '^Holdfast #' || i.number || '( — .+)?$' AS format
         FROM invoices i
         LEFT JOIN accounting_documents d ON d.invoice_id = i.id AND d.kind = 'invoice'
           AND d.accounting_id IS NOT NULL AND d.status NOT IN ('voided', 'deleted')
         WHERE $1::text IS NULL OR i.workspace_id = $1
       ) compared
       WHERE ours !~ format OR theirs !~ format ORDER BY id`,
    [workspaceId ?? null],
  );
  const byInvoice = new Map(
    rows.map(({ id, workspace_id, number, reference, ours, from }) => {
      const isOurs = from === ours;
      const to = isOurs ? accountingReference(number, reference) : ours;
      return [id, { invoice_id: id, workspace_id, from, to }];
    }),
  );
  return { examined, references: [...byInvoice.values()] };
}

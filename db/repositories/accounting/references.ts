import { accountingReference } from '../../../domain/invoice.js';
import type { Tx } from '../../transaction.js';
import { audit } from '../workspaces/audit.js';
import { enqueueAccountingUpdate } from './documents.js';

/** An invoice whose reference is not of the fixed shape, in the ledger or in the books. */
export interface LegacyReference {
  invoice_id: string;
  workspace_id: string;
  from: string;
  to: string;
}

/**
 * The invoices whose reference is a legacy one, here or in the books as they were last read (decisions.md,
 * "Accounting"), and how many were looked at.
 */
export async function findLegacyReferences(
  tx: Tx,
  workspaceId: string | undefined,
): Promise<{ examined: number; references: LegacyReference[] }> {
  const [{ examined }] = await tx.query(
    `SELECT count(*)::int AS examined FROM invoices WHERE $1::text IS NULL OR workspace_id = $1`,
    [workspaceId ?? null],
  );
  const rows: {
    id: string;
    workspace_id: string;
    number: number;
    reference: string | null;
    ours: string;
    from: string;
  }[] = await tx.query(
    `SELECT id, workspace_id, number, reference, ours,
              CASE WHEN ours !~ shape THEN ours ELSE theirs END AS "from"
       FROM (
         SELECT i.*, i.accounting_reference AS ours, d.reference AS theirs,
                '^Holdfast #' || i.number || '( — .+)?$' AS shape
         FROM invoices i
         LEFT JOIN accounting_documents d ON d.invoice_id = i.id AND d.kind = 'invoice'
           AND d.accounting_id IS NOT NULL AND d.status NOT IN ('voided', 'deleted')
         WHERE $1::text IS NULL OR i.workspace_id = $1
       ) looked_at
       WHERE ours !~ shape OR theirs !~ shape ORDER BY id`,
    [workspaceId ?? null],
  );
  const byInvoice = new Map(
    rows.map(({ id, workspace_id, number, reference, ours, from }) => {
      const legacy = from === ours;
      const to = legacy ? accountingReference(number, reference) : ours;
      return [id, { invoice_id: id, workspace_id, from, to }];
    }),
  );
  return { examined, references: [...byInvoice.values()] };
}

/** Gives an invoice its reference of the fixed shape, and has the books follow. */
export async function repairReference(
  tx: Tx,
  { invoice_id, workspace_id, from, to }: LegacyReference,
): Promise<void> {
  await tx.query(`UPDATE invoices SET accounting_reference = $2, updated_at = now() WHERE id = $1`, [
    invoice_id,
    to,
  ]);
  await enqueueAccountingUpdate(tx, invoice_id);
  await audit(
    tx,
    { workspace_id, system: 'accounting' },
    {
      action: 'invoice.reference_repaired',
      object: invoice_id,
      details: { from, to },
    },
  );
}

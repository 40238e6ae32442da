import { findLegacyReferences } from '../../db/repositories/accounting/reference-queries.js';
import { repairReference } from '../../db/repositories/accounting/references.js';
import { transaction } from '../../db/transaction.js';
import { WORKFLOWS } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';
import { syncInvoiceInline } from '../invoices/accounting.js';

/** What the books take at once. */
const AT_ONCE = 4;

export interface BackfillAnswer {
  examined: number;
  repaired: number;
  references: { invoice_id: string; from: string; to: string }[];
}

/**
 * The internal action `backfill_reference`: gives every invoice whose reference is not of the fixed shape, here or in
 * the books, the right one in both (spec.md, "Accounting invariants", 2). A dry run only lists them. `repaired`
 * counts those that are right everywhere afterwards.
 */
export async function backfillReferences(
  deps: ApiDependencies,
  input: { workspace_id?: string; dry_run?: boolean },
): Promise<BackfillAnswer> {
  const { workspace_id, dry_run = false } = input;
  const start = starts(deps.taskQueue).accountingRead({ workspaceId: workspace_id });
  await deps.temporal.workflow.execute(WORKFLOWS.accountingRead, start);
  const { examined, references } = await findLegacyReferences(deps.db.manager, workspace_id);
  const shown = references.map(({ invoice_id, from, to }) => ({ invoice_id, from, to }));
  if (dry_run) return { examined, repaired: 0, references: shown };
  for (let first = 0; first < references.length; first += AT_ONCE) {
    await Promise.all(
      references.slice(first, first + AT_ONCE).map(async (reference) => {
        await transaction(deps.db, (tx) => repairReference(tx, reference));
        const { invoice_id: id, workspace_id } = reference;
        await syncInvoiceInline(deps, { id, workspace_id });
      }),
    );
  }
  const left = await findLegacyReferences(deps.db.manager, workspace_id);
  return { examined, repaired: references.length - left.references.length, references: shown };
}

import { repairReference } from '../../commands/accounting/references.js';
import type { System } from '../../commands/audit-log/audit.js';
import { findOtherReferences } from '../../db/queries/accounting/reference.js';
import { WORKFLOWS } from '../../contract/names.js';
import { starts } from '../../contract/starts.js';
import type { ApiDependencies } from '../dependencies.js';
import { text } from '../http/fields.js';
import { boolean, object, string, type Infer } from '../http/typed.js';
import { syncInvoiceInline } from '../resources/invoices/accounting.js';

/** How many invoices are updated in the accounting system concurrently. */
const CONCURRENCY = 4;

export const backfillSchema = object({ action: string, workspace_id: text(64), dry_run: boolean });
type BackfillBody = Infer<typeof backfillSchema>;

export interface BackfillResult {
  examined: number;
  repaired: number;
  references: { invoice_id: string; from: string; to: string }[];
}

/**
 * The internal action `backfill_reference`: corrects the reference of every invoice that does not have the
 * fixed format here or in the accounting system (docs/rules/accounting.md#references). A dry run only lists
 * them. `repaired` counts the invoices that are correct in both afterwards.
 */
export async function backfillReferences(
  deps: ApiDependencies,
  { workspace_id, dry_run = false }: BackfillBody,
  { operator }: System,
): Promise<BackfillResult> {
  const start = starts(deps.taskQueue).accountingRead({ workspaceId: workspace_id });
  await deps.temporal.workflow.execute(WORKFLOWS.accountingRead, start);
  const { examined, references } = await findOtherReferences(deps.db.manager, workspace_id);
  const listed = references.map(({ invoice_id, from, to }) => ({ invoice_id, from, to }));
  if (dry_run) return { examined, repaired: 0, references: listed };
  for (let first = 0; first < references.length; first += CONCURRENCY) {
    await Promise.all(
      references.slice(first, first + CONCURRENCY).map(async (reference) => {
        await repairReference(deps.db, reference, operator);
        const { invoice_id: id, workspace_id } = reference;
        await syncInvoiceInline(deps, { id, workspace_id });
      }),
    );
  }
  const left = await findOtherReferences(deps.db.manager, workspace_id);
  return { examined, repaired: references.length - left.references.length, references: listed };
}

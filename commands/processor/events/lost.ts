import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import { findWorkspaceOfMoney } from '../../../db/queries/workspaces/workspace.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { recoverFrom } from '../../workspaces/recovery.js';
import type { EventDependencies } from './event.js';

/** If the row of a payment or refund is lost, other facts may have been lost up to this long before it. */
const LOST_BEFORE_MS = HOUR_MS;

/**
 * Pauses payments on an account until it has been read again, since the processor has a record of ours that
 * is unknown here (docs/internals/recovery.md#paused-payments). Done once for each time: a run that is
 * already reading the account reads it once more.
 */
export async function findLost(
  { db, temporal, taskQueue }: EventDependencies,
  account_id: string,
  at: Date,
): Promise<void> {
  const since = new Date(at.getTime() - LOST_BEFORE_MS);
  const workspace = await findWorkspaceOfMoney(db.manager, account_id);
  const fact = { at, since, known_to: 'processor' } as const;
  if (!workspace || !(await recoverFrom(db.manager, { account_id }, fact))) return;
  const start = starts(taskQueue).readAccount(account_id, workspace.id);
  await temporal.workflow.start(WORKFLOWS.readAccount, start);
}

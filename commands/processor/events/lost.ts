import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import { findWorkspaceOfMoney } from '../../../db/queries/workspaces/workspace.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { recoverFrom } from '../../workspaces/recovery.js';
import type { EventDependencies } from './event.js';

/** How long before a payment or refund whose row is lost others may have been lost. */
const LOST_BEFORE_MS = HOUR_MS;

/**
 * Pauses payments on an account until it has been read again, since what the processor recorded at a
 * time is ours and unknown here (docs/internals/recovery.md#paused-payments). Once for each time: who is
 * reading the account reads it once more.
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

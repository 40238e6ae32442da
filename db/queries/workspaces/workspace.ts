import { dayIn, type Day } from '../../../domain/cycle.js';
import { maybeOne, one } from '../../query.js';
import { Workspace } from '../../entities/workspaces.js';
import type { Tx } from '../../transaction.js';

/** Returns a workspace by id. */
export function findWorkspace(tx: Tx, id: string): Promise<Workspace | null> {
  return tx.findOneBy(Workspace, { id });
}

/** Returns the current day of a workspace, by its own clock. */
export const findToday = async (tx: Tx, workspaceId: string): Promise<Day> =>
  dayIn(await findZone(tx, workspaceId), new Date());

/** Returns the time zone of a workspace. */
export async function findZone(tx: Tx, workspaceId: string): Promise<string> {
  const sql = 'SELECT time_zone FROM workspaces WHERE id = $1';
  const { time_zone } = await one<{ time_zone: string }>(tx, sql, [workspaceId]);
  return time_zone;
}

/**
 * Returns the workspace to which money on a connected account belongs, even if it has another account by now;
 * null if there is none.
 */
export function findWorkspaceOfMoney(tx: Tx, accountId: string): Promise<Pick<Workspace, 'id'> | null> {
  return maybeOne<Pick<Workspace, 'id'>>(
    tx,
    `SELECT id FROM workspaces WHERE processor_account_id = $1
     UNION SELECT workspace_id FROM account_reads WHERE account_id = $1 LIMIT 1`,
    [accountId],
  );
}

/** Returns the workspace with this current connected account, or null. */
export function findWorkspaceByAccount(tx: Tx, accountId: string): Promise<Workspace | null> {
  return tx.findOneBy(Workspace, { processor_account_id: accountId });
}

import type { DataSource } from 'typeorm';
import { SignInName } from '../../db/entities/single-sign-on.js';
import { newId } from '../../db/ids.js';
import { affected, execute, maybeOne, one } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { invalidField } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { NAME_KEPT_DAYS, whyNotSignInName } from '../../domain/single-sign-on/providers.js';
import { enqueueMail } from '../mail/mails.js';
import { audit } from '../audit-log/audit.js';
import { lockWorkspace } from '../workspaces/workspaces.js';

/**
 * How many names a workspace may give up within `NAME_KEPT_DAYS`, since nobody else can use them for that
 * long.
 */
const MAX_LEFT = 10;

/** Returns the name of the sign-in page of a workspace; null before one was chosen. */
export async function findSignInName(tx: Tx, workspaceId: string): Promise<string | null> {
  const current = `SELECT name FROM sign_in_names WHERE workspace_id = $1 AND left_at IS NULL`;
  return (await maybeOne<{ name: string }>(tx, current, [workspaceId]))?.name ?? null;
}

/**
 * Gives the sign-in page of a workspace another name (docs/rules/single-sign-on.md#where-people-sign-in). The
 * previous name no longer works, and for 90 days only this workspace can take it back. Errors: 422 on
 * `sign_in_name`, with the reason.
 */
export const setSignInName = (db: DataSource, by: Principal, name: string): Promise<void> =>
  transaction(db, async (tx) => {
    const { workspace_id } = by;
    const refusal = whyNotSignInName(name);
    if (refusal) throw invalidField('sign_in_name', refusal);
    await lockWorkspace(tx, { id: workspace_id });
    const before = await findSignInName(tx, workspace_id);
    if (before === name) return;
    await assertFree(tx, workspace_id, name);
    if (before !== null) await leave(tx, workspace_id, before);
    const take = `INSERT INTO sign_in_names (name, workspace_id) VALUES ($1, $2)
      ON CONFLICT (name) DO UPDATE SET left_at = NULL WHERE sign_in_names.workspace_id = $2`;
    // Somebody else has just taken it.
    if ((await affected(tx, take, [name, workspace_id])) === 0) throw taken();
    const details = { before: { sign_in_name: before }, after: { sign_in_name: name } };
    await audit(tx, by, { action: 'sso.updated', object: workspace_id, details });
    await enqueueMail(tx, { kind: 'sso_changed', workspace_id, about: newId('mail') });
  });

const taken = () => invalidField('sign_in_name', 'is already used by another workspace. Choose another');

/**
 * Errors: 422 if another workspace has the name, or had it in the last 90 days. A name that has been free for
 * longer is deleted.
 */
async function assertFree(tx: Tx, workspaceId: string, name: string): Promise<void> {
  const found = await maybeOne<SignInName & { kept: boolean }>(
    tx,
    `SELECT *, left_at > now() - make_interval(days => $2) AS kept FROM sign_in_names
      WHERE name = $1 FOR UPDATE`,
    [name, NAME_KEPT_DAYS],
  );
  if (!found || found.workspace_id === workspaceId) return;
  if (found.left_at === null) throw taken();
  if (found.kept)
    throw invalidField(
      'sign_in_name',
      `was used by another workspace within the last ${NAME_KEPT_DAYS} days. Choose another`,
    );
  const { workspace_id } = found;
  await tx.delete(SignInName, { workspace_id, name });
}

/** Errors: 422 if the workspace has given up too many names. */
async function leave(tx: Tx, workspaceId: string, name: string): Promise<void> {
  const { left } = await one<{ left: number }>(
    tx,
    `SELECT count(*)::int AS left FROM sign_in_names
     WHERE workspace_id = $1 AND left_at > now() - make_interval(days => $2)`,
    [workspaceId, NAME_KEPT_DAYS],
  );
  if (left >= MAX_LEFT)
    throw invalidField('sign_in_name', `can be changed at most ${MAX_LEFT} times in ${NAME_KEPT_DAYS} days`);
  await execute(tx, `UPDATE sign_in_names SET left_at = now() WHERE workspace_id = $1 AND name = $2`, [
    workspaceId,
    name,
  ]);
}

import { affected, execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { limitReached, type Quotas } from '../../domain/workspaces/quotas.js';

/**
 * Counts an object that is about to be stored. Objects are counted when they are created, because counting
 * many rows takes long. The count's row stays locked until the transaction ends, so that of two requests for
 * the last place one is refused. Errors: 409 `limit_reached`.
 */
export async function takePlace(
  tx: Tx,
  quotas: Quotas,
  workspaceId: string,
  kind: 'rooms' | 'companies' | 'members',
): Promise<void> {
  const { used } = await one<{ used: number }>(
    tx,
    `INSERT INTO used_quotas (workspace_id, kind, used) VALUES ($1, $2, 1)
     ON CONFLICT (workspace_id, kind) DO UPDATE SET used = used_quotas.used + 1 RETURNING used`,
    [workspaceId, kind],
  );
  if (used > quotas[kind]) throw limitReached(kind, quotas);
}

/** Checks that a locked room may get another blackout. Errors: 409 `limit_reached`. */
export async function assertFewBlackouts(tx: Tx, quotas: Quotas, roomId: string): Promise<void> {
  const upcoming = await affected(
    tx,
    `SELECT FROM blackouts WHERE room_id = $1 AND during && tstzrange(now(), NULL) LIMIT $2`,
    [roomId, quotas.blackouts],
  );
  if (upcoming >= quotas.blackouts) throw limitReached('blackouts', quotas);
}

/**
 * Serializes the creation of a workspace's extras until the transaction ends. Errors: 409 `limit_reached`.
 */
export async function assertFewExtras(tx: Tx, quotas: Quotas, workspaceId: string): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('extras'), hashtext($1))`, [workspaceId]);
  const extras = await affected(tx, `SELECT FROM extras WHERE workspace_id = $1 LIMIT $2`, [
    workspaceId,
    quotas.extras,
  ]);
  if (extras >= quotas.extras) throw limitReached('extras', quotas);
}

/** Does the same for discount codes. */
export async function assertFewDiscounts(tx: Tx, quotas: Quotas, workspaceId: string): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('discounts'), hashtext($1))`, [workspaceId]);
  const codes = await affected(tx, `SELECT FROM discounts WHERE workspace_id = $1 LIMIT $2`, [
    workspaceId,
    quotas.discounts,
  ]);
  if (codes >= quotas.discounts) throw limitReached('discounts', quotas);
}

/**
 * Serializes the changes of a workspace that begin to wait for their payers, until the transaction ends.
 * Errors: 409 `limit_reached`.
 */
export async function assertFewPendingChanges(tx: Tx, quotas: Quotas, workspaceId: string): Promise<void> {
  await execute(tx, `SELECT pg_advisory_xact_lock(hashtext('pending_changes'), hashtext($1))`, [workspaceId]);
  const pending = await affected(
    tx,
    `SELECT FROM booking_changes WHERE workspace_id = $1 AND state IN ('opening', 'pending') LIMIT $2`,
    [workspaceId, quotas.pending_changes],
  );
  if (pending >= quotas.pending_changes) throw limitReached('pending_changes', quotas);
}

import type { DataSource } from 'typeorm';
import { NOW } from '../../db/database-time.js';
import { Extra } from '../../db/entities/extras.js';
import { insertReturning } from '../../db/insert.js';
import { isUuid, newUuid } from '../../db/ids.js';
import { findExtra } from '../../db/queries/extras/extra.js';
import { many } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { noSuchExtra } from '../../domain/extras/extras.js';
import type { Principal } from '../../domain/policies.js';
import {
  changedExtra,
  newExtra,
  presentExtra,
  type ExtraChanges,
  type NewExtra,
} from '../../domain/extras/presenter.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit, auditEdit } from '../audit-log/audit.js';
import { assertFewExtras } from '../workspaces/quotas.js';
import { assertTaxCode } from '../workspaces/workspaces.js';
import { assertRooms } from '../rooms/known-rooms.js';

type Shown = ReturnType<typeof presentExtra>;

/** Creates an extra (docs/rules/extras.md). Errors: 409 `limit_reached`, `idempotency_conflict`; 422. */
export function createExtra(
  db: DataSource,
  quotas: Quotas,
  caller: Principal,
  sent: NewExtra,
  idempotency: IdempotencyKey | null,
): Promise<Created<Shown>> {
  const { workspace_id } = caller;
  const id = newUuid();
  const extra = newExtra(sent);
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        await assertTaxCode(tx, workspace_id, extra.tax_code);
        await assertRooms(tx, workspace_id, 'rooms', extra.room_ids);
        await assertFewExtras(tx, quotas, workspace_id);
        const after = presentExtra(await insertExtra(tx, { ...extra, id, workspace_id }));
        await audit(tx, caller, { action: 'extra.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentExtra((await findExtra(tx, workspace_id, id))!),
    },
  );
}

/** Changes an extra. Bookings that have it keep their terms. Errors: 404 `not_found`; 422. */
export const changeExtra = (
  db: DataSource,
  caller: Principal,
  id: string,
  sent: ExtraChanges,
): Promise<Shown> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    const [extra] = isUuid(id) ? await lockExtras(tx, workspace_id, [id]) : [];
    if (!extra) throw noSuchExtra();
    if (sent.tax_code) await assertTaxCode(tx, workspace_id, sent.tax_code);
    await assertRooms(tx, workspace_id, 'rooms', sent.rooms);
    const before = presentExtra(extra);
    const after = presentExtra(await updateExtra(tx, id, changedExtra(extra, sent)));
    await auditEdit(tx, caller, { action: 'extra.updated', object: id, before, after });
    return after;
  });

/**
 * Returns extras of a workspace, locked in order of id. Editing an extra and booking from its stock take this
 * lock first.
 */
export async function lockExtras(tx: Tx, workspaceId: string, ids: string[]): Promise<Extra[]> {
  return many<Extra>(
    tx,
    `SELECT * FROM extras WHERE id = ANY ($2) AND workspace_id = $1 ORDER BY id FOR NO KEY UPDATE`,
    [workspaceId, ids],
  );
}

/** Stores an extra and returns it. */
export const insertExtra = (tx: Tx, extra: Omit<Extra, 'created_at' | 'updated_at'>): Promise<Extra> =>
  insertReturning(tx, Extra, extra);

async function updateExtra(tx: Tx, id: string, changes: Partial<Extra>): Promise<Extra> {
  await tx.update(Extra, { id }, { ...changes, updated_at: NOW });
  return tx.findOneByOrFail(Extra, { id });
}

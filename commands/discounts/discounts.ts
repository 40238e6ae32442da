import { isDeepStrictEqual } from 'node:util';
import type { DataSource } from 'typeorm';
import { NOW } from '../../db/database-time.js';
import { Discount } from '../../db/entities/discounts.js';
import { execute, maybeOne } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { isUuid, newId, newUuid } from '../../db/ids.js';
import { findDiscount, type DiscountRow } from '../../db/queries/discounts/discount.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { transaction, type Tx } from '../../db/transaction.js';
import {
  changedTerms,
  newDiscount,
  noSuchDiscount,
  takesAll,
  type DiscountChanges,
  type NewDiscount,
} from '../../domain/discounts/code.js';
import { invalidField } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { presentDiscount } from '../../domain/discounts/presenter.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { enqueueMail } from '../mail/mails.js';
import { audit, auditEdit } from '../audit-log/audit.js';
import { assertFewDiscounts } from '../workspaces/quotas.js';
import { assertRooms } from '../rooms/known-rooms.js';

type Shown = ReturnType<typeof presentDiscount>;

/** Informs the owner about a code of 100%. */
const tellOwner = (tx: Tx, workspace_id: string, id: string): Promise<void> =>
  enqueueMail(tx, { kind: 'full_discount_saved', workspace_id, about: `${id}:${newId('mail')}` });

/** Creates a code (docs/rules/discounts.md). Errors: 409 `limit_reached`, `idempotency_conflict`; 422. */
export function createDiscount(
  db: DataSource,
  quotas: Quotas,
  caller: Principal,
  sent: NewDiscount,
  idempotency: IdempotencyKey | null,
): Promise<Created<Shown>> {
  const { workspace_id } = caller;
  const id = newUuid();
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        const { currency } = (await findWorkspace(tx, workspace_id))!;
        const discount = newDiscount(sent, currency);
        await assertRooms(tx, workspace_id, 'rooms', discount.room_ids);
        await assertFewDiscounts(tx, quotas, workspace_id);
        const after = presentDiscount(await insertDiscount(tx, { ...discount, id, workspace_id }));
        if (takesAll(after)) await tellOwner(tx, workspace_id, id);
        await audit(tx, caller, { action: 'discount.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentDiscount((await findDiscount(tx, workspace_id, id))!),
    },
  );
}

/** Changes a code. Bookings that have used it keep their discount. Errors: 404 `not_found`; 422. */
export const changeDiscount = (
  db: DataSource,
  caller: Principal,
  id: string,
  sent: DiscountChanges,
): Promise<Shown> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    const discount = await lockDiscount(tx, workspace_id, id);
    await assertRooms(tx, workspace_id, 'rooms', sent.rooms);
    const before = presentDiscount(discount);
    const after = presentDiscount(await updateDiscount(tx, discount, changedTerms(discount, sent)));
    const isEdited = !isDeepStrictEqual(after, { ...before, updated_at: after.updated_at });
    if (takesAll(after) && !after.archived && isEdited) await tellOwner(tx, workspace_id, id);
    await auditEdit(tx, caller, { action: 'discount.updated', object: id, before, after });
    return after;
  });

/**
 * Stores a code and returns it. Call `assertFewDiscounts` first, which serializes the codes of the workspace.
 * Errors: 422 on `code` if the workspace already has it.
 */
export async function insertDiscount(
  tx: Tx,
  discount: Omit<Discount, 'created_at' | 'updated_at'>,
): Promise<DiscountRow> {
  const { workspace_id, code } = discount;
  const taken = await maybeOne(tx, `SELECT FROM discounts WHERE workspace_id = $1 AND code = $2`, [
    workspace_id,
    code,
  ]);
  if (taken) throw invalidField('code', 'is already a code of the workspace, possibly an archived one');
  return { ...(await insertReturning(tx, Discount, discount)), used: 0 };
}

/** Returns a code, locked. Redeeming and editing a code take this lock first. Errors: 404 `not_found`. */
async function lockDiscount(tx: Tx, workspaceId: string, id: string): Promise<DiscountRow> {
  if (isUuid(id))
    await execute(tx, `SELECT FROM discounts WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
      id,
      workspaceId,
    ]);
  const discount = await findDiscount(tx, workspaceId, id);
  if (!discount) throw noSuchDiscount();
  return discount;
}

async function updateDiscount(
  tx: Tx,
  { id, workspace_id }: Pick<DiscountRow, 'id' | 'workspace_id'>,
  changes: Partial<Discount>,
): Promise<DiscountRow> {
  await tx.update(Discount, { id }, { ...changes, updated_at: NOW });
  return (await findDiscount(tx, workspace_id, id))!;
}

/** Releases the use of a code by a booking that ends, unless it was paid (docs/rules/discounts.md#uses). */
export const releaseDiscount = (tx: Tx, bookingId: string): Promise<void> =>
  execute(
    tx,
    `DELETE FROM discount_redemptions WHERE booking_id = $1
       AND NOT EXISTS (SELECT FROM payments
         WHERE booking_id = $1 AND refusal IS NULL AND status <> 'failed')`,
    [bookingId],
  );

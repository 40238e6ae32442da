import { NOW } from '../../db/database-time.js';
import { Discount } from '../../db/entities/discounts.js';
import { execute, maybeOne } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { findDiscount, type DiscountRow } from '../../db/queries/rooms/discount.js';
import type { Tx } from '../../db/transaction.js';
import { invalidField } from '../../domain/errors.js';

/** Stores a code and returns it, after `assertFewDiscounts` has serialized the codes of the workspace. Errors: 422 on `code` if the workspace has it already. */
export async function insertDiscount(
  tx: Tx,
  discount: Omit<Discount, 'created_at' | 'updated_at'>,
): Promise<DiscountRow> {
  const { workspace_id, code } = discount;
  const taken = await maybeOne(tx, `SELECT FROM discounts WHERE workspace_id = $1 AND code = $2`, [
    workspace_id,
    code,
  ]);
  if (taken) throw invalidField('code', 'is another code of the workspace, which may be archived');
  return { ...(await insertReturning(tx, Discount, discount)), used: 0 };
}

/** A code, locked: its redemptions and edits take this lock first. */
export async function lockDiscount(tx: Tx, workspaceId: string, id: string): Promise<DiscountRow> {
  await execute(tx, `SELECT FROM discounts WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return (await findDiscount(tx, workspaceId, id))!;
}

/** Changes a code and returns it. Bookings that have used it keep what it took off. */
export async function updateDiscount(
  tx: Tx,
  { id, workspace_id }: Pick<DiscountRow, 'id' | 'workspace_id'>,
  changes: Partial<Discount>,
): Promise<DiscountRow> {
  await tx.update(Discount, { id }, { ...changes, updated_at: NOW });
  return (await findDiscount(tx, workspace_id, id))!;
}

/** Gives back the use of a code by a booking that ends unpaid (docs/rules/discounts.md#uses). */
export const releaseDiscount = (tx: Tx, bookingId: string): Promise<void> =>
  execute(tx, `DELETE FROM discount_redemptions WHERE booking_id = $1`, [bookingId]);

import { isUuid } from '../../ids.js';
import type { Discount } from '../../entities/discounts.js';
import { exists, many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';
import { ABANDONED } from '../bookings/abandoned.js';
import { isGuest } from '../guests/guest.js';

/** A code with how many bookings have used it. */
export type DiscountRow = Discount & { used: number };

/** SQL of how many bookings use a code. `which`: a condition on the uses, `u`. */
export const usesOf = (discountId: string, which = 'true'): string =>
  `(SELECT count(*)::integer FROM discount_redemptions u WHERE u.discount_id = ${discountId} AND ${which})`;

/** The same by one payer: a member, or a guest by their canonical address. Both null count nobody's. */
export const usesOfPayer = (
  discountId: string,
  payer: { member: string; address: string },
  which = 'true',
): string =>
  `(SELECT count(*)::integer FROM discount_redemptions u JOIN bookings ub ON ub.id = u.booking_id
    WHERE u.discount_id = ${discountId} AND ${which}
      AND (ub.member_id = ${payer.member} OR ub.member_id IS NULL AND ${isGuest('ub', payer.address)}))`;

const NOT_ABANDONED = `NOT EXISTS (SELECT FROM bookings WHERE bookings.id = u.booking_id AND ${ABANDONED})`;
const DISCOUNTS = `SELECT d.*, ${usesOf('d.id', NOT_ABANDONED)} AS used FROM discounts d`;

export interface DiscountFilter {
  workspace_id: string;
  include_archived: boolean;
  after?: { created_at: string; id: string };
  limit: number;
}

/** A workspace's codes by creation time. */
export const listDiscounts = (tx: Tx, filter: DiscountFilter): Promise<DiscountRow[]> =>
  many<DiscountRow>(
    tx,
    `${DISCOUNTS}
     WHERE d.workspace_id = $1 AND ($2 OR NOT d.archived)
       AND ($3::timestamptz IS NULL OR (d.created_at, d.id) > ($3, $4::uuid))
     ORDER BY d.created_at, d.id LIMIT $5`,
    [
      filter.workspace_id,
      filter.include_archived,
      filter.after?.created_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );

/** Whether a workspace has codes that are not archived. */
export const hasDiscounts = (tx: Tx, workspaceId: string): Promise<boolean> =>
  exists(tx, `SELECT FROM discounts WHERE workspace_id = $1 AND NOT archived LIMIT 1`, [workspaceId]);

/** A code of a workspace by its id, archived or not; null for an id that is none. */
export const findDiscount = async (tx: Tx, workspaceId: string, id: string): Promise<DiscountRow | null> =>
  isUuid(id)
    ? maybeOne<DiscountRow>(tx, `${DISCOUNTS} WHERE d.id = $2 AND d.workspace_id = $1`, [workspaceId, id])
    : null;

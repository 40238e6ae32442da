import { isUuid } from '../../ids.js';
import type { Discount } from '../../entities/discounts.js';
import { exists, many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A code with the number of bookings that have used it. */
export type DiscountRow = Discount & { used: number };

export interface DiscountFilter {
  workspace_id: string;
  include_archived: boolean;
  after?: { created_at: string; id: string };
  limit: number;
}

/** Lists a workspace's codes by creation time. */
export const listDiscounts = (tx: Tx, filter: DiscountFilter): Promise<DiscountRow[]> =>
  many<DiscountRow>(
    tx,
    `SELECT d.*, (SELECT count(*)::integer FROM discount_redemptions u WHERE u.discount_id = d.id
       AND NOT EXISTS (SELECT FROM bookings b WHERE b.id = u.booking_id AND is_abandoned(b))) AS used
     FROM discounts d
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

/** Returns whether a workspace has codes that are not archived. */
export const hasDiscounts = (tx: Tx, workspaceId: string): Promise<boolean> =>
  exists(tx, `SELECT FROM discounts WHERE workspace_id = $1 AND NOT archived LIMIT 1`, [workspaceId]);

/** Returns a code of a workspace by its id, archived or not; null if there is none with this id. */
export async function findDiscount(tx: Tx, workspaceId: string, id: string): Promise<DiscountRow | null> {
  if (!isUuid(id)) return null;
  return maybeOne<DiscountRow>(
    tx,
    `SELECT d.*, (SELECT count(*)::integer FROM discount_redemptions u WHERE u.discount_id = d.id
       AND NOT EXISTS (SELECT FROM bookings b WHERE b.id = u.booking_id AND is_abandoned(b))) AS used
     FROM discounts d WHERE d.id = $2 AND d.workspace_id = $1`,
    [workspaceId, id],
  );
}

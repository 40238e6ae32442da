/**
 * SQL for when the money of a payment or refund moved (docs/rules/billing.md#dates-of-money): `settled_at`,
 * which is `paid_at` for a manual payment. One that has moved no money, or none yet, has the time of its
 * creation. The expression of indexes (`payments_moved_page` and others).
 */
export const movedAt = (payment: string): string =>
  `coalesce(${payment}.settled_at, ${payment}.paid_at, ${payment}.created_at)`;

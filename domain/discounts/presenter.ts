import type { RateAudience } from '../rates/rates.js';
import { iso } from '../iso.js';

/** The input of `presentDiscount`: a row of `discounts` with its number of uses. */
export interface DiscountRowFacts {
  id: string;
  code: string;
  percent: string | number | null;
  amount_minor: number | null;
  currency: string | null;
  room_ids: string[] | null;
  audience: RateAudience;
  valid_from: Date | null;
  valid_until: Date | null;
  max_uses: number | null;
  max_uses_per_payer: number | null;
  used: number;
  archived: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A discount code as the API returns it (docs/rules/discounts.md). Amounts in minor units. */
export function presentDiscount(discount: DiscountRowFacts) {
  return {
    id: discount.id,
    code: discount.code,
    percent: discount.percent === null ? null : Number(discount.percent),
    amount_minor: discount.amount_minor,
    currency: discount.currency,
    rooms: discount.room_ids,
    audience: discount.audience,
    valid_from: iso(discount.valid_from),
    valid_until: iso(discount.valid_until),
    max_uses: discount.max_uses,
    max_uses_per_payer: discount.max_uses_per_payer,
    used: discount.used,
    archived: discount.archived,
    created_at: discount.created_at.toISOString(),
    updated_at: discount.updated_at.toISOString(),
  };
}

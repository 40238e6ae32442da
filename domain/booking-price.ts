import { ApiError } from './errors.js';
import { MAX_AMOUNT_MINOR } from './money.js';
import { quote, type Quote, type Rate, type TaxCode, type Tier } from './price.js';
import { minutesOf, type Range } from './slots.js';

/** The fields of a room that set the rate of its bookings. */
export interface PricedRoom {
  price_per_hour_minor: number;
  tax_code: string;
  tier_discounts: Partial<Record<Tier, number>>;
}

/** A room's rate as of now for a booker of the given tier; guests have no tier. */
export function rateOf(room: PricedRoom, tier: Tier | null, taxCodes: TaxCode[]): Rate {
  return {
    price_per_hour_minor: room.price_per_hour_minor,
    discount_percent: (tier && room.tier_discounts[tier]) || 0,
    tax_rate_bps: taxCodes.find(({ code }) => code === room.tax_code)?.rate_bps ?? 0,
  };
}

/**
 * The price of a booking with `hoursPaid` hours paid by hour credits (docs/rules/bookings.md#price). Errors: 422
 * `validation_failed` if the price exceeds the maximum amount of one payment.
 */
export function quoteBooking(rate: Rate, range: Range, hoursPaid: number): Quote {
  const price = quote(rate, Math.max(0, minutesOf(range) - hoursPaid * 60));
  if (price.total_minor <= MAX_AMOUNT_MINOR) return price;
  const message = 'The price of this booking exceeds the maximum amount of one payment. Book a shorter time.';
  throw new ApiError('validation_failed', message, { param: 'end_at' });
}

import { ApiError } from './errors.js';
import { maximumCharge } from './processor-amounts.js';
import { quote, type Quote, type Rate, type TaxCode, type Tier } from './price.js';
import { minutesOf, type Range } from './slots.js';

/** The fields of a room that determine the rate of its bookings. */
export interface PricedRoom {
  price_per_hour_minor: number;
  currency: string;
  tax_code: string;
  tier_discounts: Partial<Record<Tier, number>>;
}

/**
 * A room's current rate for a booker of the given tier, null for a guest. Errors: 422 `validation_failed` if the
 * workspace no longer has the room's tax code.
 */
export function rateOf(room: PricedRoom, tier: Tier | null, taxCodes: TaxCode[]): Rate {
  const tax = taxCodes.find(({ code }) => code === room.tax_code);
  if (!tax) {
    const message = `The workspace has no tax code ${room.tax_code}, which the room uses. Set another tax_code on the room.`;
    throw new ApiError('validation_failed', message, { param: 'room_id' });
  }
  return {
    price_per_hour_minor: room.price_per_hour_minor,
    discount_percent: (tier && room.tier_discounts[tier]) || 0,
    tax_rate_bps: tax.rate_bps,
    currency: room.currency,
  };
}

/**
 * The price of a booking with `hoursPaid` hours paid by hour credits (docs/rules/bookings.md#price). Errors: 422
 * `validation_failed` if the price exceeds the maximum amount of one payment.
 */
export function priceBooking(rate: Rate, range: Range, hoursPaid: number): Quote {
  const price = quote(rate, Math.max(0, minutesOf(range) - hoursPaid * 60));
  if (price.total_minor <= maximumCharge(rate.currency)) return price;
  const message = 'The price of this booking exceeds the maximum amount of one payment. Book a shorter time.';
  throw new ApiError('validation_failed', message, { param: 'end_at' });
}

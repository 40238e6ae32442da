import { newId } from '../state/ids.js';
import { unixNow } from '../simulator.js';
import type { Price } from '../state/records.js';

type NewPrice = Pick<Price, 'currency' | 'product' | 'unit_amount'> &
  Partial<Pick<Price, 'active' | 'lookup_key' | 'metadata' | 'nickname' | 'tax_behavior'>> & {
    recurring?: { interval: 'day' | 'week' | 'month' | 'year'; interval_count?: number };
  };

/** A price in Stripe's shape. */
export function buildPrice({ recurring, ...fields }: NewPrice): Price {
  return {
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: unixNow(),
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    recurring: recurring
      ? {
          interval: recurring.interval,
          interval_count: recurring.interval_count ?? 1,
          meter: null,
          trial_period_days: null,
          usage_type: 'licensed',
        }
      : null,
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: recurring ? 'recurring' : 'one_time',
    unit_amount_decimal: String(fields.unit_amount),
    ...fields,
  };
}

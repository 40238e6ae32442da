import { newId } from '../state/ids.js';
import { unixNow } from '../simulator.js';
import type { Price } from '../state/records.js';
import { nulls } from '../names.js';

type NewPrice = Pick<Price, 'currency' | 'product' | 'unit_amount'> &
  Partial<Pick<Price, 'active' | 'lookup_key' | 'metadata' | 'nickname' | 'tax_behavior'>> & {
    recurring?: { interval: 'day' | 'week' | 'month' | 'year'; interval_count?: number };
  };

/** A price in Stripe's shape. */
export function buildPrice({ recurring, ...fields }: NewPrice): Price {
  return {
    ...nulls('custom_unit_amount lookup_key nickname tiers_mode transform_quantity'),
    id: newId('price'),
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: unixNow(),
    livemode: false,
    metadata: {},
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
    type: recurring ? 'recurring' : 'one_time',
    unit_amount_decimal: String(fields.unit_amount),
    ...fields,
  };
}

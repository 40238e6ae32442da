import type { ExtraUnit } from '../extras.js';
import type { RefundStep } from '../refund-policy.js';

/** The input of `presentExtra`. */
export interface ExtraFacts {
  id: string;
  name: string;
  unit: ExtraUnit;
  currency: string;
  price_minor: number;
  tax_code: string;
  room_ids: string[] | null;
  stock: number | null;
  cutoff_hours: number;
  refund_steps: RefundStep[] | null;
  internal: boolean;
  archived: boolean;
  accounting_account: string | null;
  created_at: Date;
  updated_at: Date;
}

/** An extra as the API returns it (docs/rules/extras.md). Amounts in minor units. */
export function presentExtra(extra: ExtraFacts) {
  return {
    id: extra.id,
    name: extra.name,
    unit: extra.unit,
    price: { currency: extra.currency, amount_minor: extra.price_minor },
    tax_code: extra.tax_code,
    rooms: extra.room_ids,
    stock: extra.stock,
    cutoff_hours: extra.cutoff_hours,
    refund_steps: extra.refund_steps,
    internal: extra.internal,
    archived: extra.archived,
    accounting_account: extra.accounting_account,
    created_at: extra.created_at.toISOString(),
    updated_at: extra.updated_at.toISOString(),
  };
}

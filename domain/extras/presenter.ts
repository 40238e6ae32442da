import type { ExtraUnit } from './extras.js';
import { changedMetadata, type Metadata, type MetadataChange } from '../metadata.js';
import type { Money } from '../money.js';
import type { RefundStep } from '../bookings/refund-policy.js';

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
  metadata: Metadata;
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
    metadata: extra.metadata,
    created_at: extra.created_at.toISOString(),
    updated_at: extra.updated_at.toISOString(),
  };
}

/** The fields of an extra that can be changed. */
type Fields = Omit<ExtraFacts, 'id' | 'created_at' | 'updated_at'>;

/** A change of an extra. `rooms`: null for all rooms. The price is for one unit, without tax. */
export type ExtraChanges = Partial<Omit<Fields, 'room_ids' | 'currency' | 'price_minor' | 'metadata'>> & {
  price?: Money;
  metadata?: MetadataChange;
  rooms?: string[] | null;
};
export type NewExtra = ExtraChanges & { name: string; price: Money };

/** The default values of an extra. */
const DEFAULTS = {
  unit: 'piece',
  tax_code: 'STANDARD',
  room_ids: null,
  stock: null,
  cutoff_hours: 0,
  refund_steps: null,
  internal: false,
  archived: false,
  accounting_account: null,
  metadata: {},
} as const;

/** Returns the fields that a change of an extra sets. */
export const changedExtra = (
  extra: Pick<Fields, 'metadata'>,
  { price, rooms, metadata, ...rest }: ExtraChanges,
): Partial<Fields> => ({
  ...rest,
  ...changedMetadata(extra, { metadata }),
  ...(rooms !== undefined && { room_ids: rooms }),
  ...(price && { currency: price.currency, price_minor: price.amount_minor }),
});

/** Returns an extra to be stored, with default values for missing fields. */
export const newExtra = ({ name, price, ...rest }: NewExtra): Fields => ({
  ...DEFAULTS,
  ...changedExtra(DEFAULTS, rest),
  name,
  currency: price.currency,
  price_minor: price.amount_minor,
});

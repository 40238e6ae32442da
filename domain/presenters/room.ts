import type { Tier } from '../price.js';
import type { RefundStep } from '../refund-policy.js';
import type { OpeningHours } from '../slots.js';

/** The input of `presentRoom`. */
export interface RoomFacts {
  id: string;
  name: string;
  description: string | null;
  time_zone: string;
  slot_minutes: number;
  min_minutes: number | null;
  max_minutes: number | null;
  capacity: number | null;
  opening_hours: OpeningHours | null;
  turnaround_minutes: number;
  edit_window_minutes: number;
  currency: string;
  price_per_hour_minor: number;
  tax_code: string;
  tiers: Tier[] | null;
  tier_discounts: Partial<Record<Tier, number>>;
  refund_steps: RefundStep[];
  self_service: boolean;
  archived: boolean;
  created_at: Date;
  updated_at: Date;
}

/** A room as the API returns it (docs/rules/rooms.md#rooms). A room that is always open has no `opening_hours`. */
export function presentRoom(room: RoomFacts) {
  return {
    id: room.id,
    name: room.name,
    description: room.description,
    time_zone: room.time_zone,
    slot_minutes: room.slot_minutes,
    min_minutes: room.min_minutes,
    max_minutes: room.max_minutes,
    capacity: room.capacity,
    ...(room.opening_hours && { opening_hours: room.opening_hours }),
    turnaround_minutes: room.turnaround_minutes,
    edit_window_minutes: room.edit_window_minutes,
    price_per_hour: { currency: room.currency, amount_minor: room.price_per_hour_minor },
    tax_code: room.tax_code,
    tiers: room.tiers,
    tier_discounts: room.tier_discounts,
    refund_steps: room.refund_steps,
    self_service: room.self_service,
    archived: room.archived,
    created_at: room.created_at.toISOString(),
    updated_at: room.updated_at.toISOString(),
  };
}

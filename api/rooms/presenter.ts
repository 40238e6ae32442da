import type { Room } from '../../db/rows.js';
import type { BlackoutRow } from '../../db/repositories/rooms/blackout-queries.js';

/** A room as the API shows it (decisions.md, "Rooms, companies, workspace"). */
export function presentRoom(room: Room) {
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
    archived: room.archived,
    created_at: room.created_at.toISOString(),
    updated_at: room.updated_at.toISOString(),
  };
}

/** A blackout as the API shows it. */
export function presentBlackout(blackout: BlackoutRow) {
  return {
    id: blackout.id,
    start_at: blackout.start_at.toISOString(),
    end_at: blackout.end_at.toISOString(),
    reason: blackout.reason,
    created_at: blackout.created_at.toISOString(),
  };
}

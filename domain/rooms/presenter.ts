import { NO_ARRIVAL } from './arrival.js';
import type { Metadata } from '../metadata.js';
import { can, type Principal } from '../policies.js';
import type { Tier } from '../rates/price.js';
import type { RefundStep } from '../bookings/refund-policy.js';
import type { OpeningHours } from '../bookings/slots.js';

/** The input of `presentRoom`. */
export interface RoomFacts {
  id: string;
  name: string;
  description: string | null;
  image_urls: string[];
  features: string[];
  floor: string | null;
  size_m2: number | null;
  address: string | null;
  directions: string | null;
  access_notes: string | null;
  reminder_hours: number | null;
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
  parts: string[];
  self_service: boolean;
  archived: boolean;
  metadata: Metadata;
  created_at: Date;
  updated_at: Date;
}

/**
 * A room as the API returns it to staff (docs/rules/rooms.md#rooms). A room that is always
 * open has no `opening_hours`.
 */
export function presentRoom(room: RoomFacts) {
  return {
    id: room.id,
    name: room.name,
    description: room.description,
    image_urls: room.image_urls,
    features: room.features,
    floor: room.floor,
    size_m2: room.size_m2,
    address: room.address,
    directions: room.directions,
    access_notes: room.access_notes,
    reminder_hours: room.reminder_hours,
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
    parts: room.parts,
    self_service: room.self_service,
    archived: room.archived,
    metadata: room.metadata,
    created_at: room.created_at.toISOString(),
    updated_at: room.updated_at.toISOString(),
  };
}

/**
 * A room as the API returns it to a caller. Only staff get its arrival details; bookers get them by other
 * ways (docs/rules/rooms.md#arrival).
 */
export const presentRoomFor = (
  { role }: Pick<Principal, 'role'>,
  room: RoomFacts,
): ReturnType<typeof presentRoom> =>
  presentRoom(can(role, 'all_bookings') ? room : { ...room, ...NO_ARRIVAL });

export type PresentedRoom = ReturnType<typeof presentRoom>;

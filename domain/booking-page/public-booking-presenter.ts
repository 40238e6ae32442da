import type { ExtraUnit } from '../extras/extras.js';
import type { Money } from '../money.js';
import type { BookingStatus } from '../states.js';
import { iso } from '../iso.js';

/** The input of `presentPublicRoom`. */
export interface PublicRoomFacts {
  id: string;
  name: string;
  description: string | null;
  capacity: number | null;
  image_urls: string[];
  features: string[];
  floor: string | null;
  size_m2: number | null;
  time_zone: string;
  slot_minutes: number;
}

/** The input of `presentPublicExtra`. */
export interface PublicExtraFacts {
  id: string;
  name: string;
  unit: ExtraUnit;
  currency: string;
  price_minor: number;
}

/** An extra as public guests see it. The price is per unit, without tax. */
export const presentPublicExtra = ({ id, name, unit, currency, price_minor }: PublicExtraFacts) => ({
  id,
  name,
  unit,
  price: { currency, amount_minor: price_minor },
});

/**
 * A room with its extras, as public guests see it. `hour_price` includes tax; null if the price depends on
 * the time.
 */
export const presentPublicRoom = (
  room: PublicRoomFacts,
  {
    lengths,
    hour_price,
    extras,
  }: { lengths: number[]; hour_price: Money | null; extras: PublicExtraFacts[] },
) => ({
  id: room.id,
  name: room.name,
  description: room.description,
  capacity: room.capacity,
  image_urls: room.image_urls,
  features: room.features,
  floor: room.floor,
  size_m2: room.size_m2,
  time_zone: room.time_zone,
  slot_minutes: room.slot_minutes,
  lengths,
  hour_price,
  extras: extras.map(presentPublicExtra),
});

/** The input of `presentPublicBooking`. */
export interface PublicBookingFacts {
  reference: string;
  status: BookingStatus;
  room_id: string;
  room_name: string;
  time_zone: string;
  start_at: Date;
  end_at: Date;
  attendees: number;
  price_minor: number;
  currency: string;
  checkout_url: string | null;
  expires_at: Date | null;
  published_at: Date | null;
  confirm_until: Date | null;
}

/**
 * A booking as the public guest who made it sees it on a website. It contains nothing about the guest, since
 * sites are shown on shared screens. `manage_url`: null for callers who do not have the link.
 */
export function presentPublicBooking(booking: PublicBookingFacts, manage_url: string | null) {
  const isPending = booking.status === 'pending_payment' && booking.published_at !== null;
  return {
    reference: booking.reference,
    status: booking.published_at ? booking.status : ('to_confirm' as const),
    room: { id: booking.room_id, name: booking.room_name },
    time_zone: booking.time_zone,
    start_at: booking.start_at.toISOString(),
    end_at: booking.end_at.toISOString(),
    attendees: booking.attendees,
    price: { currency: booking.currency, amount_minor: booking.price_minor },
    checkout_url: isPending ? booking.checkout_url : null,
    expires_at: isPending
      ? iso(booking.expires_at)
      : booking.published_at
        ? null
        : iso(booking.confirm_until),
    manage_url,
    manage_token: manage_url && manage_url.slice(manage_url.lastIndexOf('/') + 1),
  };
}

import type { Answer, BookingSource, GuestBilling } from './origin.js';
import { pickDetails, type BookingDetails } from './details.js';
import type { Metadata } from '../metadata.js';
import {
  discountIn,
  extrasIn,
  bookingLines,
  presentLine,
  type PricedBooking,
  type Pricing,
} from '../rates/price-lines.js';
import type { BookingStatus, ConfirmationSource, Settled } from '../states.js';
import { iso } from '../iso.js';
import type { Language } from '../words/languages.js';

/** The input of `presentBooking`: a row of `bookings` with its room's name and time zone. */
export interface BookingFacts extends BookingDetails, PricedBooking {
  id: string;
  reference: string;
  status: BookingStatus;
  checkout_url: string | null;
  expires_at: Date | null;
  room_id: string;
  member_id: string | null;
  guest_email: string | null;
  guest_name: string | null;
  source: BookingSource;
  guest_billing: GuestBilling | null;
  answers: Answer[] | null;
  locale: Language | null;
  terms_version: string | null;
  terms_accepted_at: Date | null;
  company_id: string | null;
  price_minor: number;
  /** The days until payment is due for a booking on account; null for any other booking. */
  account_days: number | null;
  metadata: Metadata;
  paid_at_desk: boolean;
  invoice_id: string | null;
  processor_payment_intent_id: string | null;
  confirmation_source: ConfirmationSource | null;
  sequence: number;
  created_at: Date;
  updated_at: Date;
  confirmed_at: Date | null;
  cancelled_at: Date | null;
  completed_at: Date | null;
  no_show_at: Date | null;
}

/** How a booking is paid. */
function settledBy({ account_days, paid_at_desk }: BookingFacts): Settled {
  if (account_days !== null) return 'on_account';
  return paid_at_desk ? 'desk' : 'checkout';
}

/** The extras of a booking as the API returns them. */
export const presentExtras = (booking: { pricing: Pricing | null }) =>
  extrasIn(booking).map(({ extra_id, name, quantity }) => ({ extra_id, name, quantity }));

/** A booking as the API returns it and events contain it (docs/rules/bookings.md). Amounts in minor units. */
export function presentBooking(booking: BookingFacts) {
  return {
    id: booking.id,
    reference: booking.reference,
    status: booking.status,
    checkout_url: booking.checkout_url,
    expires_at: iso(booking.expires_at),
    room: { id: booking.room_id, name: booking.room_name },
    room_id: booking.room_id,
    start_at: booking.start_at.toISOString(),
    end_at: booking.end_at.toISOString(),
    booked_by: booking.member_id
      ? { member_id: booking.member_id }
      : { guest: { email: booking.guest_email, name: booking.guest_name } },
    member_id: booking.member_id,
    company_id: booking.company_id,
    ...pickDetails(booking),
    price: { currency: booking.currency, amount_minor: booking.price_minor },
    lines: bookingLines(booking).map(presentLine),
    extras: presentExtras(booking),
    discount_code: discountIn(booking)?.code ?? null,
    tokens_used: booking.hour_credits_used,
    source: booking.source,
    billing: booking.guest_billing,
    answers: booking.answers ?? [],
    locale: booking.locale,
    terms_version: booking.terms_version,
    terms_accepted_at: iso(booking.terms_accepted_at),
    settle: settledBy(booking),
    metadata: booking.metadata,
    invoice_id: booking.invoice_id,
    processor_payment_intent_id: booking.processor_payment_intent_id,
    confirmation_source: booking.confirmation_source,
    sequence: booking.sequence,
    created_at: booking.created_at.toISOString(),
    updated_at: booking.updated_at.toISOString(),
    confirmed_at: iso(booking.confirmed_at),
    cancelled_at: iso(booking.cancelled_at),
    completed_at: iso(booking.completed_at),
    no_show_at: iso(booking.no_show_at),
  };
}

export type PresentedBooking = ReturnType<typeof presentBooking>;

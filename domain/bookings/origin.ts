import type { BookingStatus } from '../states.js';
import type { Words } from '../words/words.js';

/** Where a booking was made (docs/rules/bookings.md#source). */
export const BOOKING_SOURCES = ['api', 'dashboard', 'page', 'import'] as const;
export type BookingSource = (typeof BOOKING_SOURCES)[number];

/**
 * True if a public guest made the booking, and nobody has paid it yet or proved that the email address is
 * theirs.
 */
export const isUnproven = ({ source, status }: { source: BookingSource; status: BookingStatus }): boolean =>
  source === 'page' && status === 'pending_payment';

/** Whom a guest books for, as printed on the documents of the booking. */
export interface GuestBilling {
  company: string | null;
  vat_number: string | null;
  order_reference: string | null;
}

/**
 * The answer to a question of a booking page, with the question as it was asked. `true`: the checkbox was
 * selected.
 */
export interface Answer {
  id: string;
  label: string;
  value: string | true;
}

/** What people enter on a booking page in addition to what every guest enters. */
export interface EnteredDetails {
  billing: GuestBilling | null;
  answers: Answer[];
  /** The version of the terms that they accepted. */
  terms_version: string | null;
}

/**
 * Returns a guest and the company they book for, in one or more lines, as documents print them. `tax`: the
 * name of the tax, such as `VAT`.
 */
export function printedGuest(words: Words, name: string, billing: GuestBilling | null, tax: string): string {
  if (!billing) return name;
  const { company, vat_number, order_reference } = billing;
  return [
    company,
    name,
    vat_number && words.say('documents.tax_number', { tax, number: vat_number }),
    order_reference && words.say('documents.order_reference', { reference: order_reference }),
  ]
    .filter(Boolean)
    .join('\n');
}

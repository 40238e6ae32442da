import { isId } from '../../../db/ids.js';
import { findBooking, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { noSuchBooking } from '../../../domain/bookings/visibility.js';
import { hasScope, type Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import { MAX_EXTRAS, MAX_QUANTITY } from '../../../domain/extras/extras.js';
import { BOOKING_SOURCES } from '../../../domain/bookings/origin.js';
import { SETTLE } from '../../../domain/bookings/create.js';
import type { BookingDetails } from '../../../domain/bookings/details.js';
import { presentBooking } from '../../../domain/bookings/booking-presenter.js';
import { BOOKING_STATUSES, CONFIRMATION_SOURCES, SETTLED } from '../../../domain/states.js';
import { email, text, uuid } from '../../http/fields.js';
import {
  array,
  boolean,
  either,
  integer,
  nullable,
  number,
  object,
  oneOf,
  string,
} from '../../http/typed.js';
import { field, splitSides } from '../shared/field.js';
import { metadata } from '../shared/metadata.js';
import { name } from '../shared/name.js';
import * as s from '../shared/shapes.js';
import { LINE_KINDS, LINE_UNITS, presentLine } from '../../../domain/rates/price-lines.js';
import { LANGUAGES } from '../../../domain/words/languages.js';
import { locale } from '../shared/locale.js';

export const isBookingId = (id: string): boolean => isId('bk', id);

/** The details of a booking, which a create and a `PATCH` set alike. */
export const details = splitSides({
  notes: field(nullable(text(5_000).allow('')), 'Free text for staff.', {
    sent: 'Free text for staff. An empty string is stored as null.',
  }),
  attendees: field(integer.min(1).max(100_000), 'The number of people.', {
    sent: 'The number of people. Defaults to 1.',
    read: s.count,
  }),
} satisfies Record<keyof BookingDetails, unknown>);

/** The extras of a booking as requests send them. */
export const extras = array(
  object(
    {
      extra_id: uuid.description('The id of the extra.'),
      quantity: integer.min(1).max(MAX_QUANTITY).description('The quantity.'),
    },
    'extra_id',
    'quantity',
  ).meta({ component: 'BookedExtra' }),
).max(MAX_EXTRAS);

export const priceLine = s.presentedBy(
  presentLine,
  s.shape('PriceLine', {
    kind: oneOf(LINE_KINDS).description(
      'What the line charges for: booked time (`time`) or an extra (`extra`). Or what it deducts: a ' +
        'discount code (`discount`) or hour credits (`credit`).',
    ),
    description: s.anyText.description('What the line is for, as shown on the invoice.'),
    quantity: number.description('The number of units, with at most four decimal places.'),
    unit: oneOf(LINE_UNITS).description('The unit of the quantity.'),
    unit_amount_minor: s.minor.description(
      'The price of one unit in minor units, without tax and before discounts.',
    ),
    net_minor: s.minor.description(
      'The amount without tax, in minor units, after the discount of the member’s tier. Negative for ' +
        '`discount` and `credit`.',
    ),
    tax_code: s.anyText.description('The tax code.'),
    tax_minor: s.minor.description('The tax of the line, in minor units.'),
    rate_id: nullable(s.anyUuid).description(
      'The rate that priced the line. Null for the room’s `price_per_hour`.',
    ),
    extra_id: nullable(s.anyUuid).description('The extra that the line charges for. Null for other lines.'),
    from: s.nullableInstant.description('The start of the time that the line covers.'),
    to: s.nullableInstant.description('The end of the time that the line covers.'),
  }),
);

export const bookedExtras = array(
  s.shape('BookedExtra', {
    extra_id: s.anyUuid.description('The id of the extra.'),
    name: s.anyText.description('The name of the extra when it was booked.'),
    quantity: s.count.description('The quantity.'),
  }),
);

/** The details of the examples, before and after a change. */
export const DETAILS: BookingDetails = { notes: 'Projector, please', attendees: 4 };
export const CHANGED: BookingDetails = { notes: 'Vegetarian lunch', attendees: 6 };

export const guestFields = {
  email: email.description('The email address of the guest, which receives the confirmation.'),
  name: name.description('The name of the guest.'),
  locale,
};
export const newGuest = object(guestFields, 'email', 'name').meta({ component: 'Guest' });
/** The guest of a `PATCH`. Absent fields do not change. */
export const correctedGuest = object(guestFields).min(1).description('The fields of the guest to correct.');

export const settlement = splitSides({
  settle: field(
    oneOf(SETTLE),
    'How the booking is paid: at its hosted page (`checkout`), by its invoice (`on_account`), or at the ' +
      'desk (`desk`). A free booking has `checkout`.',
    {
      sent:
        'How the booking is paid. With `on_account`, the booking is confirmed immediately, and its ' +
        'invoice is due according to the payment terms of the payer. Defaults to `checkout`.',
      read: oneOf(SETTLED),
    },
  ),
});

const guest = s.shape('BookedByGuest', {
  guest: s
    .shape('Guest', {
      email: s.nullableText.description('The email address of the guest.'),
      name: s.nullableText.description('The name of the guest.'),
    })
    .description('A person who is not a member. The fields are null after an erasure.'),
});

/** A booking, as events have it. */
export const booking = s.presentedBy(
  presentBooking,
  s.shape('BookingInEvents', {
    id: s.prefixedId('bk'),
    reference: s.anyText.description(
      'A short reference to read aloud and to print, unique in the workspace: seven letters and ' +
        'digits that cannot be mistaken for each other.',
    ),
    status: oneOf(BOOKING_STATUSES).description(
      'The status. Only `pending_payment` and `confirmed` occupy the room.',
    ),
    checkout_url: s.nullableText.description(
      'The URL of the hosted page where the payer pays. Null for a free booking and for a booking on ' +
        'account.',
    ),
    expires_at: s.nullableInstant.description(
      'The time at which the hold ends, never later than `end_at`. Null for a free ' +
        'booking and for a booking on account.',
    ),
    room: s.roomReference.description('The room.'),
    room_id: s.anyUuid.description('The id of the room.'),
    start_at: s.instant.description('The start, inclusive.'),
    end_at: s.instant.description('The end, exclusive.'),
    booked_by: either(
      s.shape('BookedByMember', { member_id: s.prefixedId('mem').description('The member who booked.') }),
      guest,
    ).description('Who booked: a member or a guest.'),
    member_id: nullable(s.prefixedId('mem')).description('The member who booked. Null for a guest.'),
    company_id: nullable(s.anyUuid).description('The company of the member who booked.'),
    ...details.read,
    price: s.money.description('The price that the payer pays, including tax.'),
    lines: array(priceLine).description(
      'The lines that make up the price. Their `net_minor` and `tax_minor` add up to it.',
    ),
    extras: bookedExtras.description('The extras that are booked with the room.'),
    discount_code: s.nullableText.description(
      'The discount code that was used for the booking. Null if none was used.',
    ),
    tokens_used: s.count.description('The number of hour credits used.'),
    ...settlement.read,
    metadata: metadata.read,
    source: oneOf(BOOKING_SOURCES).description(
      'How the booking was created: through the API, in the dashboard, on the booking page, or by an ' +
        'import.',
    ),
    billing: s
      .orNull(
        s.shape('BookingBilling', {
          company: s.nullableText.description('The company.'),
          vat_number: s.nullableText.description('The VAT number of the company.'),
          order_reference: s.nullableText.description('The order reference of the company.'),
        }),
      )
      .description(
        'The billing details that the guest entered on the booking page. Null if they entered none, ' +
          'and after an erasure.',
      ),
    answers: array(
      s.shape('Answer', {
        id: s.anyText.description('The id of the question.'),
        label: s.anyText.description('The question, as it was asked.'),
        value: either(string, boolean).description('The answer. `true` for a selected checkbox.'),
      }),
    ).description('The answers to the questions of the booking page. Empty after an erasure.'),
    locale: nullable(oneOf(LANGUAGES)).description(
      'The language of the booker’s pages and emails. Null for the language of their membership or ' +
        'of the workspace.',
    ),
    terms_version: s.nullableText.description('The version of the terms that the booker accepted.'),
    terms_accepted_at: s.nullableInstant.description('The time at which the booker accepted the terms.'),
    invoice_id: nullable(s.prefixedId('inv')).description(
      'The invoice of the booking. The invoice of a free booking has a total of 0.',
    ),
    processor_payment_intent_id: s.nullableText.description(
      'The id of the payment at the payment processor. Null until the payment is confirmed, ' +
        'and for a free booking.',
    ),
    confirmation_source: s
      .orNull(oneOf(CONFIRMATION_SOURCES))
      .description('The first source that confirmed the payment.'),
    sequence: s.count.description('The revision number, as in iCalendar. It increases with every change.'),
    created_at: s.instant,
    updated_at: s.instant,
    confirmed_at: s.nullableInstant.description('The time of the confirmation.'),
    cancelled_at: s.nullableInstant.description('The time of the cancellation.'),
    completed_at: s.nullableInstant.description('The time at which the confirmed booking ended.'),
    no_show_at: s.nullableInstant.description('The time at which the booker was marked as a no-show.'),
  }),
);

/** A booking as the API returns it (`presentBookingFor`). */
export const linkedBooking = s.extend('Booking', booking, {
  manage_url: s.nullableText.description(
    'The URL of the page where the booker can view, move and cancel the booking. Anyone with the link ' +
      'can do so. Null if the caller lacks the scope `calendar:write`, and after an erasure.',
  ),
});

type Linking = Pick<ApiDependencies, 'manageLinks'>;

/** Whether bookings have the link to manage them for a caller. */
export const hasManageLinks = (caller: Pick<Principal, 'resources' | 'actions'>): boolean =>
  hasScope(caller, 'calendar:write');

/**
 * A booking as the API returns it: as events carry it, and with the link to manage it for callers with
 * `calendar:write` (docs/rules/bookings.md#manage-link). Events have no link, since anyone with it may
 * cancel.
 */
export function presentBookingFor(
  { manageLinks }: Linking,
  caller: Pick<Principal, 'resources' | 'actions'>,
  booking: BookingRow,
) {
  const manage_url = hasManageLinks(caller) ? manageLinks.linkTo(booking) : null;
  return Object.assign(presentBooking(booking), { manage_url });
}

/**
 * The current state of a booking that the request has read before. It can be missing if the database was
 * restored in the meantime. Errors: 404 `booking_not_found`.
 */
export async function changedBooking(
  { db }: Pick<ApiDependencies, 'db'>,
  { workspace_id, id }: Pick<BookingRow, 'workspace_id' | 'id'>,
): Promise<BookingRow> {
  const booking = await findBooking(db.manager, workspace_id, id);
  if (!booking) throw noSuchBooking();
  return booking;
}

import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { SETTLE, type Settle } from '../../../domain/booking-create.js';
import type { BookingDetails } from '../../../domain/booking-details.js';
import { ON_AUTHENTICATION, type OnAuthentication } from '../../../domain/pending-change.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../../domain/refund-policy.js';
import { MAX_MINUTES } from '../../../domain/slots.js';
import { BOOKING_STATUSES, type BookingStatus } from '../../../domain/states.js';
import { pageFields, type PageQuery } from '../../http/cursor.js';
import { email, memberId, searchText, text, timestamp, uuid } from '../../http/fields.js';

export const isBookingId = (id: string): boolean => isId('bk', id);

/** The details of a booking, for create and `PATCH` alike. Empty text is stored as null. */
const details: Record<keyof BookingDetails, joi.Schema> = {
  notes: text(5_000).allow(null, '').description('Free text for staff. An empty string is stored as null.'),
  attendees: joi.number().integer().min(1).max(100_000).description('The number of people. Defaults to 1.'),
};

/** What is booked, for whom and when, with aliases. */
const bookable = (fields: Record<string, joi.Schema> = {}): joi.ObjectSchema =>
  joi
    .object({
      room_id: uuid.description('The room to book.'),
      resource_id: uuid.description('An alias of `room_id`.'),
      start_at: timestamp.required().description('The start, on the slot grid of the room.'),
      end_at: timestamp.description('The end, exclusive, on the slot grid of the room.'),
      duration_minutes: joi
        .number()
        .integer()
        .min(1)
        .max(MAX_MINUTES)
        .description('An alternative to `end_at`.'),
      booked_by: joi
        .object({
          member_id: memberId,
          guest: joi
            .object({
              email: email
                .required()
                .description('The email address of the guest, which receives the confirmation.'),
              name: text(200).trim().min(1).required().description('The name of the guest.'),
            })
            .description('A person who is not a member.'),
        })
        .xor('member_id', 'guest')
        .description('The booker: a member or a guest.'),
      member_id: memberId.description('An alias of `booked_by.member_id`.'),
      ...fields,
      ...details,
      use_tokens: joi
        .boolean()
        .description('Whether to pay with hour credits, as far as they cover the booking. Members only.'),
      settle: joi
        .string()
        .valid(...SETTLE)
        .description(
          'How the booking is paid. `on_account` confirms it immediately; its invoice is due by the payment terms of the payer. Defaults to `checkout`.',
        ),
    })
    .or('room_id', 'resource_id')
    .or('end_at', 'duration_minutes')
    .or('booked_by', 'member_id')
    .required();

/** Body of `POST /v1/bookings`. */
export const createSchema = bookable({
  idempotency_key: uuid
    .required()
    .description('A new UUID for each booking. A repeat with the same key returns the same booking.'),
});

/** Body of `POST /v1/quotes`: that of a create, without a key. */
export const quoteSchema = bookable();

export interface CreateBody extends Partial<BookingDetails> {
  room_id?: string;
  resource_id?: string;
  start_at: Date;
  end_at?: Date;
  duration_minutes?: number;
  booked_by?: { member_id?: string; guest?: { email: string; name: string } };
  member_id?: string;
  idempotency_key: string;
  use_tokens?: boolean;
  settle?: Settle;
}

/** Query of `GET /v1/bookings`, with its aliases. */
export const listSchema = joi.object({
  from: timestamp.description('Returns only bookings that start at or after this time. Defaults to now.'),
  to: timestamp.description(
    'Returns only bookings that start before this time. Defaults to 30 days from now.',
  ),
  'start_at[gte]': timestamp.description('An alias of `from`.'),
  'start_at[lt]': timestamp.description('An alias of `to`.'),
  status: joi
    .string()
    .valid(...BOOKING_STATUSES)
    .description('Returns only bookings with this status.'),
  room_id: uuid.description('Returns only bookings of this room.'),
  member_id: memberId.description('Returns only bookings of this member.'),
  company_id: uuid.description('Returns only bookings of members of this company.'),
  q: searchText.description('Words to search for in the name and email address of the booker.'),
  ...pageFields,
});

export interface ListQuery extends PageQuery {
  from?: Date;
  to?: Date;
  'start_at[gte]'?: Date;
  'start_at[lt]'?: Date;
  status?: BookingStatus;
  room_id?: string;
  member_id?: string;
  company_id?: string;
  q?: string;
}

/** Body of `PATCH /v1/bookings/{id}`: at least one of these. */
export const changeSchema = joi
  .object({
    start_at: timestamp.description('The new start, on the slot grid of the room.'),
    end_at: timestamp.description('The new end, exclusive, on the slot grid of the room.'),
    room_id: uuid.description('The room to move the booking to.'),
    ...details,
    on_authentication: joi
      .string()
      .valid(...ON_AUTHENTICATION)
      .description(
        'What to do if the change costs more and the payer’s bank requires authentication, or no card is on file. `fail` rejects the change; `link` keeps it pending until the payer has paid on a hosted page. Defaults to `fail`.',
      ),
  })
  .min(1)
  .custom((body: ChangeBody, helpers) => {
    const { on_authentication: _, ...changes } = body;
    // `min` says it of an empty body.
    const isChange = Object.keys(changes).length > 0 || Object.keys(body).length === 0;
    return isChange ? body : helpers.error('object.min', { limit: 1 });
  })
  .required();

export interface ChangeBody extends Partial<BookingDetails> {
  start_at?: Date;
  end_at?: Date;
  room_id?: string;
  on_authentication?: OnAuthentication;
  /** Of the dashboard's form only: the card on file is not charged. */
  pay_by_link?: boolean;
}

/** Body of `POST /v1/bookings/{id}/cancel`; every field is optional. */
export const cancelSchema = joi
  .object({
    reason: text(1_000).allow(null, '').description('The reason, shown in the audit log and the email.'),
    refund_policy: joi
      .string()
      .valid(...REFUND_POLICIES)
      .default('standard')
      .description(
        'How much to refund: according to the room’s `refund_steps` (`standard`), everything (`full`) or nothing (`none`).',
      ),
    notify_attendees: joi
      .boolean()
      .default(true)
      .description('Whether to email the booker about the cancellation.'),
  })
  .required();

export interface CancelBody {
  reason?: string | null;
  refund_policy: RefundPolicy;
  notify_attendees: boolean;
}

import joi from 'joi';
import { isId } from '../../db/ids.js';
import { SETTLE, type Settle } from '../../domain/booking-create.js';
import type { BookingDetails } from '../../domain/booking-details.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../domain/refund-policy.js';
import { MAX_MINUTES } from '../../domain/slots.js';
import { BOOKING_STATUSES, type BookingStatus } from '../../domain/states.js';
import { pageFields, type PageQuery } from '../http/cursor.js';
import { email, memberId, searchText, text, timestamp, uuid } from '../http/fields.js';

export const isBookingId = (id: string): boolean => isId('bk', id);

/** The details of a booking, for create and `PATCH` alike. Empty text is stored as null. */
const details: Record<keyof BookingDetails, joi.Schema> = {
  notes: text(5_000).allow(null, ''),
  attendees: joi.number().integer().min(1).max(100_000),
};

/** What is booked, for whom and when, with aliases. */
const bookable = (fields: Record<string, joi.Schema> = {}): joi.ObjectSchema =>
  joi
    .object({
      room_id: uuid,
      resource_id: uuid.description('An alias of `room_id`.'),
      start_at: timestamp.required(),
      end_at: timestamp,
      duration_minutes: joi
        .number()
        .integer()
        .min(1)
        .max(MAX_MINUTES)
        .description('An alternative to `end_at`.'),
      booked_by: joi
        .object({
          member_id: memberId,
          guest: joi.object({ email: email.required(), name: text(200).trim().min(1).required() }),
        })
        .xor('member_id', 'guest'),
      member_id: memberId,
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
  from: timestamp,
  to: timestamp,
  'start_at[gte]': timestamp.description('An alias of `from`.'),
  'start_at[lt]': timestamp.description('An alias of `to`.'),
  status: joi.string().valid(...BOOKING_STATUSES),
  room_id: uuid,
  member_id: memberId,
  company_id: uuid,
  q: searchText,
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
  .object({ start_at: timestamp, end_at: timestamp, room_id: uuid, ...details })
  .min(1)
  .required();

export interface ChangeBody extends Partial<BookingDetails> {
  start_at?: Date;
  end_at?: Date;
  room_id?: string;
}

/** Body of `POST /v1/bookings/{id}/cancel`; every field is optional. */
export const cancelSchema = joi
  .object({
    reason: text(1_000).allow(null, ''),
    refund_policy: joi
      .string()
      .valid(...REFUND_POLICIES)
      .default('standard'),
    notify_attendees: joi.boolean().default(true),
  })
  .required();

export interface CancelBody {
  reason?: string | null;
  refund_policy: RefundPolicy;
  notify_attendees: boolean;
}

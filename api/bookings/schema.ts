import joi from 'joi';
import { isId } from '../../db/ids.js';
import { ApiError } from '../../domain/errors.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../domain/refund-policy.js';
import { MAX_MINUTES } from '../../domain/slots.js';
import { BOOKING_STATUSES, type BookingStatus } from '../../domain/states.js';
import { DAY } from '../../domain/time-zone.js';
import { cursorParam } from '../http/cursor.js';
import { memberId, pageLimit, searchText, text, timestamp, uuid } from '../http/validate.js';

export const MAX_NOTES = 5_000;
const MINUTE = 60_000;

/** Body of `POST /v1/bookings`, with the aliases of decisions.md, "Bookings". */
export const createSchema = joi
  .object({
    room_id: uuid,
    resource_id: uuid,
    start_at: timestamp.required(),
    end_at: timestamp,
    duration_minutes: joi.number().integer().min(1).max(MAX_MINUTES),
    booked_by: joi
      .object({
        member_id: memberId,
        guest: joi.object({
          email: text(254).email({ tlds: false }).required(),
          name: text(200).trim().min(1).required(),
        }),
      })
      .xor('member_id', 'guest'),
    member_id: memberId,
    idempotency_key: uuid.required(),
    notes: text(MAX_NOTES).allow(null, ''),
    attendees: joi.number().integer().min(1).max(100_000),
    use_tokens: joi.boolean(),
  })
  .or('room_id', 'resource_id')
  .or('end_at', 'duration_minutes')
  .or('booked_by', 'member_id')
  .required();

export interface CreateBody {
  room_id?: string;
  resource_id?: string;
  start_at: Date;
  end_at?: Date;
  duration_minutes?: number;
  booked_by?: { member_id?: string; guest?: { email: string; name: string } };
  member_id?: string;
  idempotency_key: string;
  notes?: string | null;
  attendees?: number;
  use_tokens?: boolean;
}

/** A create without its aliases and with its defaults: two bodies that mean the same are the same here. */
export interface CreateRequest {
  room_id: string;
  start_at: Date;
  end_at: Date;
  member_id: string | null;
  guest: { email: string; name: string } | null;
  notes: string | null;
  attendees: number;
  /** Pay hours from the member's token balance first. */
  use_tokens: boolean;
}

function agree<T>(
  param: string,
  values: (T | undefined)[],
  same: (a: NonNullable<T>, b: NonNullable<T>) => boolean,
): T {
  const [first, ...rest] = values.filter((value) => value !== undefined);
  if (rest.some((value) => !same(first!, value!))) {
    throw new ApiError('validation_failed', `${param} is given twice and disagrees.`, { param });
  }
  return first!;
}

const equal = <T>(a: T, b: T): boolean => a === b;
const sameTime = (a: Date, b: Date): boolean => a.getTime() === b.getTime();

/** Resolves the aliases. Errors: 422 where two of them disagree, or the end is not after the start. */
export function normalise(body: CreateBody): CreateRequest {
  const room_id = agree('resource_id', [body.room_id, body.resource_id], equal);
  const byDuration =
    body.duration_minutes && new Date(body.start_at.getTime() + body.duration_minutes * MINUTE);
  const end_at = agree('duration_minutes', [body.end_at, byDuration || undefined], sameTime);
  // Before anything asks the database: it knows no range that ends before it starts.
  if (end_at <= body.start_at) {
    throw new ApiError('validation_failed', 'end_at must be after start_at.', { param: 'end_at' });
  }
  const guest = body.booked_by?.guest ?? null;
  if (guest && body.member_id) agree('member_id', ['a guest', body.member_id], equal);
  const member_id = agree('member_id', [body.booked_by?.member_id, body.member_id], equal) ?? null;
  if (body.use_tokens && !member_id) {
    throw new ApiError('validation_failed', 'Only a member has tokens.', { param: 'use_tokens' });
  }
  return {
    room_id,
    start_at: body.start_at,
    end_at,
    member_id,
    guest,
    notes: body.notes || null,
    attendees: body.attendees ?? 1,
    use_tokens: body.use_tokens ?? false,
  };
}

/** Query of `GET /v1/bookings`, with its alternate filter form. */
export const listSchema = joi.object({
  from: timestamp,
  to: timestamp,
  'start_at[gte]': timestamp,
  'start_at[lt]': timestamp,
  status: joi.string().valid(...BOOKING_STATUSES),
  room_id: uuid,
  member_id: memberId,
  company_id: uuid,
  q: searchText,
  limit: pageLimit,
  cursor: cursorParam,
});

export interface ListQuery {
  from?: Date;
  to?: Date;
  'start_at[gte]'?: Date;
  'start_at[lt]'?: Date;
  status?: BookingStatus;
  room_id?: string;
  member_id?: string;
  company_id?: string;
  q?: string;
  limit: number;
  cursor?: string;
}

/**
 * The window of a list: `from` is now and `to` is 30 days from now where they aren't given. On a later page "now" is
 * where the page before ended: what begins between two requests must not drop out of the walk.
 * Errors: 422 where a bound and its alias disagree.
 */
export function windowOf(query: ListQuery, now: Date, after?: { key: string }): { from: Date; to: Date } {
  const from = agree<Date | undefined>('start_at[gte]', [query.from, query['start_at[gte]']], sameTime);
  const to = agree<Date | undefined>('start_at[lt]', [query.to, query['start_at[lt]']], sameTime);
  return {
    from: from ?? (after ? new Date(after.key) : now),
    to: to ?? new Date(now.getTime() + 30 * DAY),
  };
}

/** Body of `PATCH /v1/bookings/{id}`: any of these, one at least. */
export const changeSchema = joi
  .object({
    start_at: timestamp,
    end_at: timestamp,
    room_id: uuid,
    attendees: joi.number().integer().min(1).max(100_000),
    notes: text(MAX_NOTES).allow(null, ''),
  })
  .min(1)
  .required();

export interface ChangeBody {
  start_at?: Date;
  end_at?: Date;
  room_id?: string;
  attendees?: number;
  notes?: string | null;
}

/** Body of `POST /v1/bookings/{id}/cancel`; all of it may be left out. */
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

export const noShowSchema = joi.object({}).required();

export const isBookingId = (id: string): boolean => isId('bk', id);

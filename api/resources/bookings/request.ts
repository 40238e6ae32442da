import type joi from 'joi';
import type { CreateRequest } from '../../../domain/bookings/create.js';
import { DEFAULT_DETAILS, detailsAfter } from '../../../domain/bookings/details.js';
import { MAX_ELAPSED_MINUTES } from '../../../domain/bookings/slots.js';
import { normalizeCode } from '../../../domain/discounts/code.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import { ApiError, invalidField } from '../../../domain/errors.js';
import { mergeMetadata } from '../../../domain/metadata.js';
import { can, type Principal } from '../../../domain/policies.js';
import { memberId, timestamp, uuid } from '../../http/fields.js';
import { boolean, integer, object, type Infer } from '../../http/typed.js';
import { metadata as sharedMetadata } from '../shared/metadata.js';
import { code } from '../discounts/operations.js';
import { details, extras, newGuest, settlement } from './booking.js';

const bookedBy = object({
  member_id: memberId,
  guest: newGuest.description('A person who is not a member.'),
})
  .xor('member_id', 'guest')
  .meta({ component: 'Booker' });

const bookable = {
  room_id: uuid.description('The room to book.'),
  resource_id: uuid.description('An alias of `room_id`.'),
  start_at: timestamp.description('The start, on the slot grid of the room.'),
  end_at: timestamp.description('The end, exclusive, on the slot grid of the room.'),
  duration_minutes: integer
    .min(1)
    .max(MAX_ELAPSED_MINUTES)
    .description('The length of the booking in minutes, as an alternative to `end_at`.'),
  booked_by: bookedBy.description('The booker: a member or a guest.'),
  member_id: memberId.description('An alias of `booked_by.member_id`.'),
};
const options = {
  ...details.sent,
  use_tokens: boolean.description(
    'Whether to pay with the member’s hour credits. Only credits that lower the price are used. Not ' +
      'available for guests.',
  ),
  extras: extras.description('The extras to book with the room.'),
  discount_code: code.description('A discount code, in any letter case.'),
  ...settlement.sent,
  metadata: sharedMetadata.sent,
};
/** Requires one of each field and its aliases. */
const oneOfEach = <Schema extends joi.ObjectSchema>(body: Schema): Schema =>
  body.or('room_id', 'resource_id').or('end_at', 'duration_minutes').or('booked_by', 'member_id').required();

/** Body of `POST /v1/bookings`. */
export const createSchema = oneOfEach(
  object(
    {
      ...bookable,
      idempotency_key: uuid.description(
        'A new UUID for each booking. A repeat with the same key returns the same booking.',
      ),
      ...options,
    },
    'start_at',
    'idempotency_key',
  ),
);

/** Body of `POST /v1/quotes`: the body of a create without `idempotency_key`. */
export const quoteSchema = oneOfEach(object({ ...bookable, ...options }, 'start_at'));
export type QuoteBody = Infer<typeof quoteSchema>;

/**
 * The value of a field and its alias `param`. Errors: 422 `validation_failed` on `param` if
 * both are given and differ.
 */
export function resolve<T>(
  [param, field]: [param: string, field: string],
  values: (T | undefined)[],
  equal: (a: NonNullable<T>, b: NonNullable<T>) => boolean,
): T {
  const [first, ...rest] = values.filter((value) => value !== undefined);
  if (rest.some((value) => !equal(first!, value!)))
    throw invalidField(param, `must match ${field}. Send only one of them`);
  return first!;
}

const same = <T>(a: T, b: T): boolean => a === b;
export const sameTime = (a: Date, b: Date): boolean => a.getTime() === b.getTime();

/**
 * The create request of a body, with aliases resolved and defaults applied. Errors: 422 `validation_failed`
 * if two aliases differ, the end is not after the start, or a guest uses hour credits.
 */
export function toCreateRequest(body: QuoteBody): CreateRequest {
  const { start_at } = body;
  const room_id = resolve(['resource_id', 'room_id'], [body.room_id, body.resource_id], same);
  const byDuration =
    body.duration_minutes && new Date(start_at.getTime() + body.duration_minutes * MINUTE_MS);
  const end_at = resolve(['duration_minutes', 'end_at'], [body.end_at, byDuration || undefined], sameTime);
  // Checked before the database is queried, because Postgres rejects a range that ends before it starts.
  if (end_at <= start_at) throw invalidField('end_at', 'must be after {start_at}');
  const metadata = mergeMetadata({}, body.metadata);
  const guest = body.booked_by?.guest ?? null;
  if (guest && body.member_id) resolve(['member_id', 'booked_by'], ['guest', body.member_id], same);
  const member_id =
    resolve(['member_id', 'booked_by'], [body.booked_by?.member_id, body.member_id], same) ?? null;
  if (body.use_tokens && !member_id)
    throw invalidField('use_tokens', 'can be true only for a member: guests have no hour credits');
  return {
    room_id,
    start_at,
    end_at,
    member_id,
    guest,
    use_tokens: body.use_tokens ?? false,
    settle: body.settle ?? 'checkout',
    extras: body.extras ?? [],
    ...(body.discount_code !== undefined && { discount_code: normalizeCode(body.discount_code) }),
    ...detailsAfter(DEFAULT_DETAILS, body),
    metadata,
  };
}

/** The front desk, admins and owners can book for others. Errors: 403 `role_insufficient`. */
export function assertCanBookFor(caller: Principal, request: CreateRequest): void {
  if (request.member_id === caller.member_id || can(caller.role, 'all_bookings')) return;
  throw new ApiError(
    'role_insufficient',
    'Booking for a guest or for another member requires the role front_desk, admin or owner. To book ' +
      'for yourself, send your own member_id.',
  );
}

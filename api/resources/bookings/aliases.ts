import type { CreateRequest } from '../../../domain/bookings/create.js';
import { DEFAULT_DETAILS, detailsAfter } from '../../../domain/bookings/details.js';
import { codeOf } from '../../../domain/discounts/code.js';
import { DAY_MS, MINUTE_MS } from '../../../domain/durations.js';
import { invalidField } from '../../../domain/errors.js';
import type { Position } from '../../http/cursor.js';
import type { ListQuery, QuoteBody } from './shape.js';

const DEFAULT_DAYS = 30;

/**
 * The value of a field and its alias `param`. Errors: 422 `validation_failed` on `param` if
 * both are given and differ.
 */
function resolve<T>(
  [param, field]: [param: string, field: string],
  values: (T | undefined)[],
  equal: (a: NonNullable<T>, b: NonNullable<T>) => boolean,
): T {
  const [first, ...rest] = values.filter((value) => value !== undefined);
  if (rest.some((value) => !equal(first!, value!)))
    throw invalidField(param, `must agree with ${field}. Send only one of them`);
  return first!;
}

const same = <T>(a: T, b: T): boolean => a === b;
const sameTime = (a: Date, b: Date): boolean => a.getTime() === b.getTime();

/**
 * The create request of a body, with aliases resolved and defaults applied. Errors: 422 `validation_failed`
 * if two aliases differ, the end is not after the start, or a guest uses hour credits.
 */
export function createRequestOf(body: QuoteBody): CreateRequest {
  const { start_at } = body;
  const room_id = resolve(['resource_id', 'room_id'], [body.room_id, body.resource_id], same);
  const byDuration =
    body.duration_minutes && new Date(start_at.getTime() + body.duration_minutes * MINUTE_MS);
  const end_at = resolve(['duration_minutes', 'end_at'], [body.end_at, byDuration || undefined], sameTime);
  // Checked before the database is queried, since Postgres refuses a range that ends before it starts.
  if (end_at <= start_at) throw invalidField('end_at', 'must be after {start_at}');
  const guest = body.booked_by?.guest ?? null;
  if (guest && body.member_id) resolve(['member_id', 'booked_by'], ['guest', body.member_id], same);
  const member_id =
    resolve(['member_id', 'booked_by'], [body.booked_by?.member_id, body.member_id], same) ?? null;
  if (body.use_tokens && !member_id)
    throw invalidField('use_tokens', 'requires a member: guests have no hour credits');
  return {
    room_id,
    start_at,
    end_at,
    member_id,
    guest,
    use_tokens: body.use_tokens ?? false,
    settle: body.settle ?? 'checkout',
    // Absent, so that requests without extras stay equal to those of releases that did not know them.
    ...(body.extras?.length && { extras: body.extras }),
    ...(body.discount_code !== undefined && { discount_code: codeOf(body.discount_code) }),
    ...detailsAfter(DEFAULT_DETAILS, body),
  };
}

/**
 * The time range of a list (docs/rules/bookings.md#list): from now on for 30 days by default. On a later page
 * "now" is where the previous page ended, so that a booking that starts between two requests is not skipped.
 * Errors: 422 `validation_failed` if a bound and its alias differ, or the end is before the start.
 */
export function windowOf(query: ListQuery, now: Date, after?: Position): { from: Date; to: Date } {
  const from = resolve(['start_at[gte]', 'from'], [query.from, query['start_at[gte]']], sameTime);
  const to = resolve(['start_at[lt]', 'to'], [query.to, query['start_at[lt]']], sameTime);
  if (from && to && to < from) {
    const [first, last] = [query.from ? 'from' : 'start_at[gte]', query.to ? 'to' : 'start_at[lt]'];
    throw invalidField(last, `must not be before ${first}`);
  }
  // A reference is looked for at any time.
  const [first, last] = query.reference
    ? [new Date(0), new Date('9999-01-01T00:00:00Z')]
    : [now, new Date(now.getTime() + DEFAULT_DAYS * DAY_MS)];
  return { from: from ?? (after ? new Date(after.key) : first), to: to ?? last };
}

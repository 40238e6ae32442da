import { randomUUID } from 'node:crypto';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import type { ApiClient } from './api-client.js';
import type { Booking, Event } from './api-bodies.js';
import { storeClaims, timeRange } from './rows.js';
import { served } from './served.js';
import { simulator } from './simulators.js';
import { db } from './stack.js';
import { until } from './until.js';
import { newRoom, newWorkspace, uniqueEmail, type TestWorkspace } from './workspaces.js';

const hoursTaken = new Map<number, number>();

/** An hour at least `daysAhead` days from now that no other call in this process has returned. */
export function freeHour(daysAhead = 30): { start_at: string; end_at: string } {
  const taken = hoursTaken.get(daysAhead) ?? 0;
  hoursTaken.set(daysAhead, taken + 1);
  const start = (Math.ceil(Date.now() / HOUR_MS) + daysAhead * 24 + taken) * HOUR_MS;
  return { start_at: new Date(start).toISOString(), end_at: new Date(start + HOUR_MS).toISOString() };
}

// An alias, so that it is a `Record` too.
type BookingBody = {
  room_id: string;
  start_at: string;
  end_at: string;
  booked_by: { guest: { email: string; name: string } };
  idempotency_key: string;
  notes?: string;
};

/** The body of `POST /v1/bookings` with all required fields. */
export function bookingBody(roomId: string, overrides: Record<string, unknown> = {}): BookingBody {
  return {
    room_id: roomId,
    ...freeHour(),
    booked_by: { guest: { email: uniqueEmail(), name: 'Grace Guest' } },
    idempotency_key: randomUUID(),
    ...overrides,
  };
}

export const checkoutSessionId = (booking: { checkout_url: string | null }): string =>
  /cs_[A-Za-z0-9_]+/.exec(booking.checkout_url!)![0];

/** Pays the checkout of a booking. */
export const pay = (booking: { checkout_url: string | null }, how: Record<string, unknown> = {}) =>
  simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/pay`, how);

/** Waits until a booking has a status. Returns the booking. */
export const untilStatus = (api: ApiClient, id: string, status: string): Promise<Booking> =>
  until(async () => {
    const { body } = await served(() => api.get(`/v1/bookings/${id}`));
    return body.status === status && body;
  });

/** A time plus some hours, which may be negative. */
export const hoursLater = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * HOUR_MS).toISOString();

/** Creates a booking, which must succeed. */
export async function createBooking(api: ApiClient, body: Record<string, unknown>): Promise<Booking> {
  const made = await served(() => api.post('/v1/bookings', body));
  if (made.status >= 300) throw new Error(`POST /v1/bookings returned ${JSON.stringify(made.body)}`);
  return made.body;
}

/** Creates a workspace, and a booking in it that awaits payment. */
export async function pendingBooking(hold_seconds = 1_800, existing?: TestWorkspace) {
  const workspace = existing ?? (await newWorkspace({ hold_seconds }));
  const room = await newRoom(workspace.api);
  const booking = await createBooking(workspace.api, bookingBody(room.id));
  return { workspace, room, booking };
}

/** Creates a paid booking, in a new room unless `room_id` is given. */
export async function confirmedBooking(
  api: ApiClient,
  how: {
    room?: Record<string, unknown>;
    room_id?: string;
    hours?: number;
    slot?: { start_at: string; end_at: string };
    card?: string;
    body?: Record<string, unknown>;
  } = {},
): Promise<{ booking: Booking; email: string }> {
  const room_id = how.room_id ?? (await newRoom(api, how.room)).id;
  const slot = how.slot ?? freeHour();
  const body = bookingBody(room_id, {
    ...slot,
    ...(how.hours && { end_at: hoursLater(slot.start_at, how.hours) }),
    ...how.body,
  });
  const made = await createBooking(api, body);
  if (made.status === 'pending_payment') await pay(made, how.card ? { card: how.card } : {});
  const booking = await untilStatus(api, made.id, 'confirmed');
  return { booking, email: body.booked_by.guest?.email };
}

/** The stored events of an object, by sequence. */
export const listEvents = <Body = Booking>(
  objectId: string,
): Promise<{ type: string; body: Event<Body> }[]> =>
  db.query(`SELECT type, body FROM events WHERE object_id = $1 ORDER BY sequence`, [objectId]);

/** Moves a live booking and its claim to another time, as if that had been booked. */
export async function moveTo(bookingId: string, start: Date, end: Date): Promise<void> {
  const during = timeRange(start, end);
  const [{ room_id }] = await db.query(`SELECT room_id FROM bookings WHERE id = $1`, [bookingId]);
  await storeClaims(db, [{ booking_id: bookingId, room_id, during }]);
  await db.query(`UPDATE bookings SET start_at = $2, end_at = $3, occupies = $4 WHERE id = $1`, [
    bookingId,
    start,
    end,
    during,
  ]);
  await db.query(`DELETE FROM slot_claims WHERE booking_id = $1 AND during <> $2`, [bookingId, during]);
}

/** Moves a live booking and its claim two days back, as if time had passed. */
export function moveIntoPast(bookingId: string): Promise<void> {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  return moveTo(bookingId, new Date(today - 2 * DAY_MS), new Date(today - DAY_MS));
}

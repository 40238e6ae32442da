import { HOUR_MS } from '../../domain/durations.js';
import {
  bookingBody,
  db,
  freeHour,
  newRoom,
  pay,
  newWorkspace,
  until,
  untilStatus,
  type ApiClient,
  type TestWorkspace,
} from './stack.js';
import type { Booking, Event } from './api-bodies.js';

/** A time plus some hours, which may be negative. */
export const hoursLater = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * HOUR_MS).toISOString();

/**
 * Creates a booking, again with the same key after a 5xx, as a client should: a test beside this one may kill workers.
 */
export function createBooking(api: ApiClient, body: Record<string, unknown>) {
  return until(async () => {
    const made = await api.post('/v1/bookings', body);
    if (made.status >= 500) return null;
    if (made.status >= 300) throw new Error(`POST /v1/bookings returned ${JSON.stringify(made.body)}`);
    return made.body;
  }, 60_000);
}

/** Creates a workspace, and in it a booking that awaits payment. */
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
export const eventsOf = <Body = Booking>(objectId: string): Promise<{ type: string; body: Event<Body> }[]> =>
  db.query(`SELECT type, body FROM events WHERE object_id = $1 ORDER BY sequence`, [objectId]);

/** Moves a live booking and its claim two days back, as if time had passed. */
export async function moveIntoPast(bookingId: string): Promise<void> {
  const past = `tstzrange(date_trunc('day', now()) - interval '2 days', date_trunc('day', now()) - interval '1 day')`;
  await db.query(
    `INSERT INTO slot_claims (booking_id, room_id, during) SELECT id, room_id, ${past} FROM bookings WHERE id = $1`,
    [bookingId],
  );
  await db.query(
    `UPDATE bookings SET start_at = lower(${past}), end_at = upper(${past}), occupies = ${past} WHERE id = $1`,
    [bookingId],
  );
  await db.query(`DELETE FROM slot_claims WHERE booking_id = $1 AND during <> ${past}`, [bookingId]);
}

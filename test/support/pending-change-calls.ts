import { type ExecutionContext } from 'ava';
import { confirmedBooking, hoursLater } from './bookings.js';
import { db } from './stack.js';
import type { TestWorkspace } from './workspaces.js';

/** Its bank wants the payer to authenticate an off-session charge. */
export const AUTHENTICATION_CARD = '4000002760003184';

export const LINK = { on_authentication: 'link' };

export const claimsOf = async (bookingId: string): Promise<number> =>
  (await db.query(`SELECT FROM slot_claims WHERE booking_id = $1`, [bookingId])).length;

export const changesOf = (bookingId: string) =>
  db.query(
    `SELECT type, body #> '{data,object,pending_change}' AS change FROM events
     WHERE object_id = $1 AND type LIKE 'booking.change%' ORDER BY sequence`,
    [bookingId],
  );

type Booked = Awaited<ReturnType<typeof confirmedBooking>>;

export const book = ({ api }: TestWorkspace): Promise<Booked> =>
  confirmedBooking(api, { card: AUTHENTICATION_CARD });

/** A booking of which an hour more waits for its payment. */
export async function pendingChange(t: ExecutionContext, workspace: TestWorkspace, booked?: Booked) {
  const { booking, email } = booked ?? (await book(workspace));
  const path = `/v1/bookings/${booking.id}` as const;
  const end_at = hoursLater(booking.end_at, 1);
  const { status, body } = await workspace.api.patch(path, { end_at, ...LINK });
  t.is(status, 202, JSON.stringify(body));
  t.is(body.booking.end_at, booking.end_at);
  t.is(await claimsOf(booking.id), 2);
  return { booking, email, path, end_at, pending: body.pending_change };
}

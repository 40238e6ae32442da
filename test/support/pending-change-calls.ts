import { type ExecutionContext } from 'ava';
import { confirmedBooking, hoursLater } from './bookings.js';
import type { ApiClient } from './api-client.js';
import { db } from './stack.js';
import { until } from './until.js';
import type { TestWorkspace } from './workspaces.js';

/** Its bank requires the payer's authentication for an off-session charge. */
export const AUTHENTICATION_CARD = '4000002760003184';

export const LINK = { on_authentication: 'link' };

export const countClaims = async (bookingId: string): Promise<number> =>
  (await db.query(`SELECT FROM slot_claims WHERE booking_id = $1`, [bookingId])).length;

export const listChangeEvents = (bookingId: string) =>
  db.query(
    `SELECT type, body #> '{data,object,pending_change}' AS change FROM events
     WHERE object_id = $1 AND type LIKE 'booking.change%' ORDER BY sequence`,
    [bookingId],
  );

/**
 * Changes a booking whose payer is to get a link. Returns the change that awaits its payment. On a busy
 * machine its page may open only after the response, which is then 502.
 */
export async function changeByLink(t: ExecutionContext, api: ApiClient, id: string, change: object) {
  const path = `/v1/bookings/${id}` as const;
  const { status, body } = await api.patch(path, { ...change, ...LINK });
  if (status === 202) return body.pending_change;
  t.regex(body.error?.message ?? '', /has not yet (opened the page|confirmed whether)/, JSON.stringify(body));
  return until(async () => {
    const pending = await api.get(`${path}/pending-change`);
    return pending.status === 200 && pending.body;
  });
}

type Booked = Awaited<ReturnType<typeof confirmedBooking>>;

export const book = ({ api }: TestWorkspace): Promise<Booked> =>
  confirmedBooking(api, { card: AUTHENTICATION_CARD });

/** A booking whose additional hour awaits its payment. */
export async function pendingChange(t: ExecutionContext, workspace: TestWorkspace, booked?: Booked) {
  const { booking, email } = booked ?? (await book(workspace));
  const path = `/v1/bookings/${booking.id}` as const;
  const end_at = hoursLater(booking.end_at, 1);
  const pending = await changeByLink(t, workspace.api, booking.id, { end_at });
  t.is((await workspace.api.get(path)).body.end_at, booking.end_at);
  t.is(await countClaims(booking.id), 2);
  return { booking, email, path, end_at, pending };
}

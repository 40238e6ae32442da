import { holdEnd } from '../../domain/booking-create.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { invoiceLinesOf, linesOf } from '../../domain/price-lines.js';
import { REQUEST_TRANSITIONS, CHECKOUT_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute, literals } from '../../db/query.js';
import { columnParameters } from '../../db/column-parameters.js';
import { Booking } from '../../db/entities/bookings.js';
import type { Tx } from '../../db/transaction.js';
import { insertInvoice } from '../billing/invoices.js';
import { enqueueMail } from '../mail/mails.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { lockBooking, recordBookingEvent } from './bookings.js';
import { confirmBooking } from './confirm-booking.js';
import { getsHeldMail } from './strangers.js';

const PUBLISHED = columnParameters(
  Booking,
  ['published_at', 'updated_at', 'invoice_id', 'checkout_url', 'expires_at'],
  3,
);

/** `$1`: the booking, `$2`: the checkout's session. */
const PUBLISH = {
  name: 'publish_booking',
  text: `WITH request AS (
      UPDATE booking_requests SET state = '${REQUEST_TRANSITIONS.publish.to}', finished_at = ${PUBLISHED.of('published_at')} WHERE booking_id = $1
    ), checkout AS (
      UPDATE checkouts SET state = '${CHECKOUT_TRANSITIONS.open.to}', session_id = coalesce(session_id, $2),
                           updated_at = ${PUBLISHED.of('published_at')}
      WHERE owner_id = $1 AND state IN (${literals(CHECKOUT_TRANSITIONS.open.from)})
    )
    UPDATE bookings SET ${PUBLISHED.assignments} WHERE id = $1`,
};

/** The hosted page of a booking. */
interface BookingPage {
  id: string | null;
  url: string | null;
  is_paid?: true;
}

/** The page of a booking whose publication is lost: its payer knows the address, which is stored nowhere. */
export const LOST_PAGE: BookingPage = { id: null, url: null };

/**
 * Publishes a reservation: checkout URL, end of the hold, invoice with its number, `booking.created`. A booking that
 * costs nothing, or is paid on account, is also confirmed. Returns the booking, even if it was published before; null if
 * the reservation was released.
 */
export async function publishBooking(
  tx: Tx,
  id: string,
  session: BookingPage | null,
): Promise<BookingRow | null> {
  const booking = await lockBooking(tx, id);
  if (!booking || booking.published_at) return booking;
  const now = new Date();
  const expires_at = session && holdEnd(booking, now);
  const invoiceId = newId('inv');
  await insertInvoice(tx, {
    id: invoiceId,
    kind: 'booking',
    workspace_id: booking.workspace_id,
    currency: booking.currency,
    due_at: expires_at ?? new Date(now.getTime() + (booking.account_days ?? 0) * DAY_MS),
    on_account: booking.account_days !== null,
    is_received: session?.is_paid ?? false,
    company_id: booking.company_id,
    member_id: booking.member_id,
    booking_id: id,
    created_at: now,
    lines: invoiceLinesOf(linesOf(booking)),
  });
  const published: BookingRow = {
    ...booking,
    published_at: now,
    updated_at: now,
    invoice_id: invoiceId,
    checkout_url: session?.url ?? null,
    expires_at,
  };
  await execute(tx, PUBLISH, [id, session?.id ?? null, ...PUBLISHED.values(published)]);
  await recordBookingEvent(tx, 'booking.created', published);
  if (session) {
    if (!session.is_paid) await enqueueHeldMail(tx, published);
    return published;
  }
  return confirmBooking(tx, published, { source: null, paymentIntentId: null, at: now });
}

/**
 * Most payers pay immediately and need no mail with the checkout's address: it waits a tenth of the hold, at most a minute.
 */
const HELD_MAIL_AFTER_MS = MINUTE_MS;

/** How long the mail with the link to pay waits, in milliseconds. */
export const heldMailDelay = (holdSeconds: number): number => Math.min(HELD_MAIL_AFTER_MS, holdSeconds * 100);

async function enqueueHeldMail(tx: Tx, booking: BookingRow): Promise<void> {
  if (!(await getsHeldMail(tx, booking))) return;
  const { id: booking_id, workspace_id, hold_seconds } = booking;
  const delay_ms = heldMailDelay(hold_seconds);
  await enqueueMail(tx, { workspace_id, booking_id, kind: 'booking_held', delay_ms });
}

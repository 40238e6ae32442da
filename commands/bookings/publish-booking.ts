import { holdEnd } from '../../domain/bookings/create.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { toInvoiceLines, bookingLines } from '../../domain/rates/price-lines.js';
import { newId } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import { BookingRequest } from '../../db/entities/bookings.js';
import type { Tx } from '../../db/transaction.js';
import { insertInvoice, type NewInvoice } from '../invoices/invoices.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import { audit } from '../audit-log/audit.js';
import { lockBooking, recordBookingEvent } from './bookings.js';
import { confirmBooking } from './confirm-booking.js';

/**
 * Publishes a booking, except for its invoice. `$2`: the checkout's session; `$7` and `$8`: the id of the
 * mail with the link to pay and when it is due; no mail without an id. The mail waits, since most payers pay
 * immediately and do not need it.
 */
const PUBLISH = {
  name: 'publish_booking',
  text: `WITH request AS (
      UPDATE booking_requests SET state = 'published', finished_at = $3, actor = NULL WHERE booking_id = $1
    ), checkout AS (
      UPDATE checkouts SET state = 'open', session_id = coalesce(session_id, $2), updated_at = $3
      WHERE owner_id = $1 AND state IN ('opening', 'open', 'abandoned', 'processing')
    ), booking AS (
      UPDATE bookings SET published_at = $3, updated_at = $3, invoice_id = $4, checkout_url = $5,
        expires_at = $6
      WHERE id = $1 RETURNING id, workspace_id
    )
    INSERT INTO mails (id, workspace_id, kind, about, booking_id, next_attempt_at, notify_at)
    SELECT $7, workspace_id, 'booking_held', id, id, $8::timestamptz, $8::timestamptz FROM booking
    WHERE $7::text IS NOT NULL
    ON CONFLICT DO NOTHING`,
};

interface HostedPage {
  id: string | null;
  url: string | null;
  is_paid?: true;
}

/** The page of a booking whose publication was lost: its payer has the URL, which is not stored anywhere. */
export const LOST_PAGE: HostedPage = { id: null, url: null };

/**
 * Publishes a reservation: checkout URL, end of the hold, invoice with its number, `booking.created`, audit
 * entry. A booking that costs nothing, or is paid on account, is also confirmed. Returns the booking, even if
 * it was already published; null if the reservation was released.
 */
export async function publishBooking(
  tx: Tx,
  id: string,
  session: HostedPage | null,
): Promise<BookingRow | null> {
  const booking = await lockBooking(tx, id);
  if (!booking || booking.published_at) return booking;
  const now = new Date();
  const expires_at = session && holdEnd(booking, now);
  const published: BookingRow = {
    ...booking,
    published_at: now,
    updated_at: now,
    invoice_id: newId('inv'),
    checkout_url: session?.url ?? null,
    expires_at,
  };
  const isMailed = session !== null && !session.is_paid;
  const invoice: NewInvoice = {
    id: published.invoice_id!,
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
    lines: toInvoiceLines(bookingLines(booking)),
  };
  await auditCreate(tx, booking);
  await insertInvoice(tx, invoice);
  await execute(tx, PUBLISH, [
    id,
    session?.id ?? null,
    now,
    published.invoice_id,
    published.checkout_url,
    expires_at,
    isMailed ? newId('mail') : null,
    heldMailDue(booking, now),
  ]);
  await recordBookingEvent(tx, 'booking.created', published);
  if (session) return published;
  return confirmBooking(tx, published, { source: null, paymentIntentId: null, at: now });
}

/**
 * Records who made a booking in the dashboard. Bookings through the API have no entry, which saves a
 * statement.
 */
async function auditCreate(tx: Tx, { id, workspace_id, source }: BookingRow): Promise<void> {
  if (source !== 'dashboard') return;
  const request = await tx.findOneBy(BookingRequest, { booking_id: id, workspace_id });
  if (!request?.actor) return;
  const by = { ...request.actor, workspace_id };
  await audit(tx, by, { action: 'booking.created', object: id, details: {} });
}

/**
 * Returns how long the mail with the payment link waits, in milliseconds: a tenth of the hold, at most a
 * minute.
 */
export const heldMailDelay = (holdSeconds: number): number => Math.min(MINUTE_MS, holdSeconds * 100);

const heldMailDue = ({ hold_seconds }: BookingRow, at: Date): Date =>
  new Date(at.getTime() + heldMailDelay(hold_seconds));

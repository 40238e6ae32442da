import type { ComponentChildren } from 'preact';
import { isId } from '../../db/ids.js';
import { takeLook } from '../../commands/access/buckets.js';
import { findBookingMoney } from '../../db/queries/billing/booking-money.js';
import { findCheckoutById, findCheckoutBySession } from '../../db/queries/billing/checkout.js';
import { findPayerBooking, type PayerBooking } from '../../db/queries/bookings/payer-booking.js';
import { describeMoney } from '../../domain/booking-money.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { lookAtOpenCheckout } from '../../api/resources/payments/verify.js';
import { showChangeCheckout, showPaidChange } from './change.js';
import { showInvoiceCheckout, showPaidInvoice } from './invoice.js';
import { linkLimiter } from './link-limits.js';
import { showPage } from '../ui/layout.js';
import { amountOf, BookAgain, Contact, endOf, Facts, factsOf, RefundTerms } from '../ui/parts.js';

/** How long the payer's browser waits for the confirmation before the page starts to update itself. */
const CONFIRM_WITHIN_MS = 6_000;
const REFRESH_SECONDS = 3;

function BookingFacts({ booking, children }: { booking: PayerBooking; children?: ComponentChildren }) {
  return (
    <>
      <Facts of={factsOf(booking, booking.workspace.name)} />
      {children}
      {booking.workspace.return_url && (
        <a class="button" href={booking.workspace.return_url}>
          Back to {booking.workspace.name}
        </a>
      )}
      <Contact of={booking.workspace} />
    </>
  );
}

function showNotFound(ctx: ApiContext): void {
  showPage(ctx, 404, {
    title: 'Unknown checkout',
    mark: 'bad',
    children: <p>Open the link from your booking again, or contact the place where you booked.</p>,
  });
}

/**
 * `GET /checkout/success`: where the payer returns to after paying. The first of the ways to confirm a payment
 * (docs/architecture.md#payment-confirmation). The session's id is in `checkout_url`, which callers and receivers of
 * events see: only with the checkout's id, which is in the payer's address alone, the page has the link to manage the
 * booking.
 */
export function showSuccess(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  const count = linkLimiter(deps);
  return async (ctx) => {
    const sessionId = String(ctx.query.session_id ?? '');
    const found = sessionId.includes('\0') ? null : await findCheckoutBySession(manager, sessionId);
    const isOther = ctx.query.checkout_id !== undefined && ctx.query.checkout_id !== found?.id;
    const checkout = isOther ? null : found;
    await count(ctx, checkout && checkout.id);
    if (checkout?.invoice_id) return showPaidInvoice(ctx, deps, checkout);
    const isChange = checkout !== null && checkout.change_id !== null;
    let booking = checkout && !isChange ? await findPayerBooking(manager, checkout.owner_id) : null;
    if (!checkout || (!booking && !isChange)) return showNotFound(ctx);
    if (booking) ctx.state.house = booking.workspace;
    const isPayer = ctx.query.checkout_id === checkout.id;
    if (!booking) return showPaidChange(ctx, deps, checkout, isPayer);
    if (booking.status === 'pending_payment' && (await takeLook(manager, checkout.id, deps.buckets))) {
      // A failure says nothing about the payment: the page keeps waiting and the other ways to confirm continue.
      await lookAtOpenCheckout(deps, checkout, CONFIRM_WITHIN_MS).catch((error) =>
        deps.log.warn({ err: error, booking: checkout.owner_id }, 'success page could not verify'),
      );
      booking = (await findPayerBooking(manager, checkout.owner_id))!;
    }
    await showOutcome(ctx, deps, booking, isPayer ? deps.manageLinks.linkTo(booking) : null);
  };
}

/** `manageUrl`: for payers, who come with the checkout's id. */
async function showOutcome(
  ctx: ApiContext,
  deps: ApiDependencies,
  booking: PayerBooking,
  manageUrl: string | null,
): Promise<void> {
  if (booking.status === 'confirmed' || booking.status === 'completed')
    return showConfirmed(ctx, booking, manageUrl);
  if (booking.status !== 'pending_payment') return showClosed(ctx, deps, booking);
  showPage(ctx, 200, {
    title: 'We are still confirming your payment',
    mark: 'waiting',
    refresh: REFRESH_SECONDS,
    children: (
      <>
        <p>This page updates automatically. You can also close it: we’ll email you the confirmation.</p>
        <BookingFacts booking={booking} />
      </>
    ),
  });
}

function showConfirmed(ctx: ApiContext, booking: PayerBooking, manageUrl: string | null): void {
  const { room, refund_percent_cap, price_minor, status } = booking;
  const isErased = booking.manage_link_version === null;
  showPage(ctx, 200, {
    title: 'Your booking is confirmed',
    mark: 'good',
    children: (
      <>
        {!isErased && <p>We’ve emailed you the confirmation.</p>}
        {manageUrl && (
          <>
            <a class="button" href={`${manageUrl}/booking.ics`}>
              Add to calendar
            </a>
            <a class="button plain" href={manageUrl}>
              {status === 'confirmed' && room.self_service ? 'View, move or cancel booking' : 'View booking'}
            </a>
          </>
        )}
        <BookingFacts booking={booking}>
          {status === 'confirmed' && price_minor > 0 && (
            <RefundTerms steps={room.refund_steps} cap={refund_percent_cap} booking={booking} />
          )}
        </BookingFacts>
      </>
    ),
  });
}

/** A booking that is over: why, what was paid, and where the money went. */
async function showClosed(
  ctx: ApiContext,
  { db }: Pick<ApiDependencies, 'db'>,
  booking: PayerBooking,
): Promise<void> {
  const expired = booking.status === 'expired';
  const money = await findBookingMoney(db.manager, booking.id);
  const sentences = describeMoney(money, booking.workspace.name, ({ amount_minor, currency }) =>
    amountOf(amount_minor, currency),
  );
  showPage(ctx, 200, {
    title: `Your booking has ${expired ? 'expired' : 'been cancelled'}`,
    mark: 'bad',
    children: (
      <>
        {expired && <p>No payment had been confirmed when the hold ended, so the room has been released.</p>}
        <p>{sentences.join(' ')}</p>
        <BookAgain at={booking.workspace} />
        <BookingFacts booking={booking} />
      </>
    ),
  });
}

/**
 * `GET /checkout/left`: where the payer returns to without paying. The checkout's id in the address is known to the payer
 * and the processor only; unknown ones count against the client's address. A booking's id is not accepted: calendar files
 * and receivers of events have it.
 */
export function showLeft(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  const count = linkLimiter(deps);
  return async (ctx) => {
    const id = String(ctx.query.checkout_id ?? '');
    const checkout = isId('chk', id) ? await findCheckoutById(manager, id) : null;
    await count(ctx, checkout && checkout.id);
    if (checkout?.invoice_id) return showInvoiceCheckout(ctx, deps, checkout);
    if (checkout?.change_id) return showChangeCheckout(ctx, deps, checkout);
    const booking = checkout && (await findPayerBooking(manager, checkout.owner_id));
    if (!booking) return showNotFound(ctx);
    ctx.state.house = booking.workspace;
    if (booking.status === 'pending_payment') showOpen(ctx, booking);
    // The address is in the browser's history: it leads to no link that cancels the booking.
    else await showOutcome(ctx, deps, booking, null);
  };
}

/** A hold that has ended, while the processor is asked whether it was paid. */
function showHoldEnded(ctx: ApiContext, booking: PayerBooking): void {
  showPage(ctx, 200, {
    title: 'Your hold has expired',
    mark: 'bad',
    children: (
      <>
        <p>
          The room was held for you until {endOf(booking.expires_at!, booking)}. If you paid before then,
          we’ll email you the confirmation.
        </p>
        <BookAgain at={booking.workspace} />
        <BookingFacts booking={booking} />
      </>
    ),
  });
}

function showOpen(ctx: ApiContext, booking: PayerBooking): void {
  if (booking.expires_at! <= new Date()) return showHoldEnded(ctx, booking);
  showPage(ctx, 200, {
    title: 'You left the checkout',
    mark: 'waiting',
    children: (
      <>
        <p>The room is held for you until {endOf(booking.expires_at!, booking)}.</p>
        <a class="button" href={booking.checkout_url!}>
          Continue to payment
        </a>
        <BookingFacts booking={booking} />
      </>
    ),
  });
}

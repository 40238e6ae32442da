import { isId } from '../../db/ids.js';
import { takeLook } from '../../db/repositories/access/buckets.js';
import { findCheckout, findCheckoutBySession } from '../../db/repositories/billing/checkout-queries.js';
import { findBookingPage, type BookingPage } from '../../db/repositories/bookings/booking-page-queries.js';
import { formatMoney } from '../../domain/money.js';
import { formatTime } from '../../domain/presenters/booking.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, Handler } from '../http/context.js';
import { lookAtOpenCheckout } from '../payments/verify.js';
import { showInvoiceCheckout, showPaidInvoice } from './invoice.js';
import { showPage } from './layout.js';

/** How long the payer's browser waits for the confirmation before the page starts to refresh. */
const CONFIRM_WITHIN_MS = 6_000;
const REFRESH_SECONDS = 3;

const WHY_CLOSED = {
  expired:
    'The payment did not arrive in time, so the room has been released. A payment that still arrives is refunded in full. You can book again.',
  cancelled:
    'The booking has been cancelled. A payment that still arrives is refunded in full to the original payment method.',
};

function BookingFacts({ booking }: { booking: BookingPage }) {
  const facts = [
    ['Room', booking.room_name],
    ['Time', formatTime(booking)],
    ['Price', formatMoney({ amount_minor: booking.price_minor, currency: booking.currency })],
    ['Booking', booking.id],
  ];
  return (
    <>
      <dl>
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {booking.return_url && (
        <a class="button" href={booking.return_url}>
          Back to {booking.workspace_name}
        </a>
      )}
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
 * (docs/architecture.md#payment-confirmation).
 */
export function showSuccess(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  return async (ctx) => {
    const sessionId = String(ctx.query.session_id ?? '');
    const checkout = sessionId.includes('\0') ? null : await findCheckoutBySession(manager, sessionId);
    if (checkout?.invoice_id) return showPaidInvoice(ctx, deps, checkout);
    let booking = checkout && (await findBookingPage(manager, checkout.owner_id));
    if (!checkout || !booking) return showNotFound(ctx);
    if (booking.status === 'pending_payment' && (await takeLook(manager, checkout.id, deps.buckets))) {
      // A failure says nothing about the payment: the page keeps waiting and the other ways to confirm continue.
      await lookAtOpenCheckout(deps, checkout, CONFIRM_WITHIN_MS).catch((error) =>
        deps.log.warn({ err: error, booking: checkout.owner_id }, 'success page could not verify'),
      );
      booking = (await findBookingPage(manager, checkout.owner_id))!;
    }
    showOutcome(ctx, booking);
  };
}

function showOutcome(ctx: ApiContext, booking: BookingPage): void {
  const facts = <BookingFacts booking={booking} />;
  if (booking.status === 'confirmed' || booking.status === 'completed')
    return showPage(ctx, 200, { title: 'Your booking is confirmed', mark: 'good', children: facts });
  if (booking.status === 'pending_payment') {
    return showPage(ctx, 200, {
      title: 'We are still confirming your payment',
      mark: 'waiting',
      refresh: REFRESH_SECONDS,
      children: (
        <>
          <p>This page refreshes automatically. You can also close it: we will email you the confirmation.</p>
          {facts}
        </>
      ),
    });
  }
  const explanation = booking.paid_too_late
    ? 'Your payment arrived after the room had been released. It is refunded in full to the original payment method.'
    : WHY_CLOSED[booking.status === 'expired' ? 'expired' : 'cancelled'];
  showPage(ctx, 200, {
    title: `Your booking has ${booking.status === 'expired' ? 'expired' : 'been cancelled'}`,
    mark: 'bad',
    children: (
      <>
        <p>{explanation}</p>
        {facts}
      </>
    ),
  });
}

/** `GET /checkout/left`: where the payer returns to without paying. */
export function showLeft(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  return async (ctx) => {
    const id = String(ctx.query.booking_id ?? ctx.query.checkout_id ?? '');
    const checkout = isId('chk', id) ? await findCheckout(manager, id) : null;
    if (checkout?.invoice_id) return showInvoiceCheckout(ctx, deps, checkout);
    const booking = id.includes('\0') ? null : await findBookingPage(manager, id);
    if (!booking) return showNotFound(ctx);
    if (booking.status === 'pending_payment') showOpen(ctx, booking);
    else showClosed(ctx, booking);
  };
}

function showClosed(ctx: ApiContext, booking: BookingPage): void {
  const confirmed = booking.status === 'confirmed' || booking.status === 'completed';
  showPage(ctx, 200, {
    title: confirmed ? 'Your booking is confirmed' : 'This checkout is closed',
    mark: confirmed ? 'good' : 'bad',
    children: (
      <>
        {!confirmed && <p>{WHY_CLOSED[booking.status === 'expired' ? 'expired' : 'cancelled']}</p>}
        <BookingFacts booking={booking} />
      </>
    ),
  });
}

function showOpen(ctx: ApiContext, booking: BookingPage): void {
  const format = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: booking.time_zone });
  showPage(ctx, 200, {
    title: 'You left the checkout',
    mark: 'waiting',
    children: (
      <>
        <p>
          The room is held for you until {format.format(booking.expires_at!)} ({booking.time_zone}).
        </p>
        <a class="button" href={booking.checkout_url!}>
          Continue to payment
        </a>
        <BookingFacts booking={booking} />
      </>
    ),
  });
}

import Router from '@koa/router';
import { findCheckout, findCheckoutBySession } from '../../db/repositories/billing/checkout-queries.js';
import { type BookingPage, findBookingPage } from '../../db/repositories/bookings/booking-page-queries.js';
import { isId } from '../../db/ids.js';
import { formatMoney } from '../../domain/money.js';
import { formatTime } from '../../domain/presenters/booking.js';
import type { ApiDependencies } from '../app.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { verifyPayment } from '../payments/verify.js';
import { showConsent } from './accounting.js';
import { showLeftInvoice, showPaidInvoice } from './invoice.js';
import { showPage } from './layout.js';

/** How long a payer's browser is kept waiting for the confirmation before it is told to look again. */
const CONFIRM_WITHIN_MS = 6_000;
const LOOK_AGAIN_SECONDS = 3;

const WHY_CLOSED = {
  expired:
    'The payment did not arrive in time, so the room is free for others again. You can book it once more.',
  cancelled: 'The booking has been cancelled. Money that was paid for it goes back to where it came from.',
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

/** The pages that a payer comes back to from the checkout: layer 1 of payment confirmation (spec.md, rule 5). */
export function pageRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();

  function notFound(ctx: ApiContext): void {
    showPage(ctx, 404, {
      title: 'We do not know this checkout',
      mark: 'bad',
      children: <p>Open the link from your booking once more, or ask the place where you booked.</p>,
    });
  }

  const success: Handler = async (ctx) => {
    const sessionId = String(ctx.query.session_id ?? '');
    const checkout = sessionId.includes('\0') ? null : await findCheckoutBySession(db.manager, sessionId);
    if (checkout?.invoice_id) return showPaidInvoice(ctx, deps, checkout);
    let booking = checkout && (await findBookingPage(db.manager, checkout.owner_id));
    if (!checkout || !booking) return notFound(ctx);
    if (booking.status === 'pending_payment') {
      // A failure here is no answer about the money: the page says "still confirming" and the other layers go on.
      await verifyPayment(deps, { sessionId, source: 'success_page' }, CONFIRM_WITHIN_MS).catch((error) =>
        deps.log.warn({ err: error, booking: checkout.owner_id }, 'success page could not verify'),
      );
      booking = (await findBookingPage(db.manager, checkout.owner_id))!;
    }
    const children = <BookingFacts booking={booking} />;
    if (booking.status === 'confirmed' || booking.status === 'completed') {
      return showPage(ctx, 200, { title: 'Your booking is confirmed', mark: 'good', children });
    }
    if (booking.status === 'pending_payment') {
      const waiting = (
        <>
          <p>The payment is being confirmed. This page looks again by itself; you may also leave it.</p>
          {children}
        </>
      );
      const title = 'We are still confirming your payment';
      return showPage(ctx, 200, { title, mark: 'waiting', refresh: LOOK_AGAIN_SECONDS, children: waiting });
    }
    const words = booking.paid_too_late
      ? 'Your payment came too late to keep the room. It goes back in full to where it came from.'
      : 'The payment did not arrive in time, so the room is free for others again. Nothing was charged for it; should money still arrive, it goes back in full.';
    const ended = (
      <>
        <p>{words}</p>
        {children}
      </>
    );
    showPage(ctx, 200, {
      title: `Your booking has ${booking.status === 'expired' ? 'expired' : 'been cancelled'}`,
      mark: 'bad',
      children: ended,
    });
  };

  const left: Handler = async (ctx) => {
    const id = String(ctx.query.booking_id ?? ctx.query.checkout_id ?? '');
    const checkout = isId('chk', id) ? await findCheckout(db.manager, id) : null;
    if (checkout?.invoice_id) return showLeftInvoice(ctx, deps, checkout);
    const booking = id.includes('\0') ? null : await findBookingPage(db.manager, id);
    if (!booking) return notFound(ctx);
    if (booking.status !== 'pending_payment') {
      const confirmed = booking.status === 'confirmed' || booking.status === 'completed';
      return showPage(ctx, 200, {
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
            Go on to the payment
          </a>
          <BookingFacts booking={booking} />
        </>
      ),
    });
  };

  const onboarded: Handler = async (ctx) =>
    showPage(ctx, 200, {
      title: 'Onboarding is done',
      mark: 'good',
      children: (
        <p>The payment processor tells us as soon as it has approved the account. You can close this page.</p>
      ),
    });

  const onboardAgain: Handler = async (ctx) =>
    showPage(ctx, 200, {
      title: 'This onboarding link is used up',
      mark: 'waiting',
      children: <p>Ask for a new one: POST /v1/workspace/processor/onboarding.</p>,
    });

  router.get('/checkout/success', ...route(success));
  router.get('/checkout/left', ...route(left));
  router.get('/accounting/callback', ...route((ctx) => showConsent(ctx, deps)));
  router.get('/onboarding/done', ...route(onboarded));
  router.get('/onboarding/again', ...route(onboardAgain));
  return router;
}

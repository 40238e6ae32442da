import type { ComponentChildren } from 'preact';
import { isId } from '../../db/ids.js';
import { findBookingMoney } from '../../db/queries/bookings/money.js';
import { findCheckoutById, findCheckoutBySession } from '../../db/queries/payments/checkout.js';
import { findPayerBooking, type PayerBooking } from '../../db/queries/bookings/payer-booking.js';
import { describeMoney } from '../../domain/bookings/money.js';
import { hasHoldLapsed } from '../../domain/bookings/state.js';
import { computeSelfService, type SelfService } from '../../domain/bookings/self-service.js';
import type { WordKey } from '../../domain/words/words.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { lookAtOpenCheckout } from '../../api/resources/payments/verify.js';
import { showChangeCheckout, showPaidChange } from './change.js';
import { manageUrlFor } from './return-secret.js';
import { showInvoiceCheckout, showPaidInvoice } from './invoice.js';
import { linkLimiter } from './link-limits.js';
import { showAs, useWords, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { extrasIn } from '../../domain/rates/price-lines.js';
import { ArrivalNotes, BookAgain, Booked, BookingFacts, Contact, RefundTerms } from '../ui/parts.js';
import { visibleArrival } from '../../domain/rooms/arrival.js';

/** How long the response waits for the confirmation before it shows a page that updates itself. */
const CONFIRM_WITHIN_MS = 6_000;
const REFRESH_SECONDS = 3;

/** The booking, with `children` between its time and its price. */
function Booking({
  booking,
  terms,
  children,
}: {
  booking: PayerBooking;
  terms?: ComponentChildren;
  children?: ComponentChildren;
}) {
  const words = useWords();
  return (
    <>
      <Booked booking={booking} payee={booking.workspace.name} />
      {children}
      <BookingFacts booking={booking} />
      {terms}
      {booking.workspace.return_url && (
        <a class="button plain" href={booking.workspace.return_url}>
          {words.say('payer.back_to', { name: booking.workspace.name })}
        </a>
      )}
      <Contact of={booking.workspace} />
    </>
  );
}

function showNotFound(ctx: ApiContext): void {
  showPage(ctx, 404, {
    title: wordsIn(ctx).say('payer.checkout_unknown'),
    mark: 'bad',
    children: <p>{wordsIn(ctx).say('payer.checkout_unknown_help')}</p>,
  });
}

/**
 * `GET /checkout/success`: where the payer returns to after paying. The first of the ways to confirm a
 * payment (docs/internals/architecture.md#payment-confirmation). The session's id is in `checkout_url`, which
 * callers and receivers of events see: only with the secret, which is in the payer's address alone, the page
 * has the link to the booking or invoice.
 */
export function showSuccess(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  const count = linkLimiter(deps);
  return async (ctx) => {
    const sessionId = String(ctx.query.session_id ?? '');
    const checkout = sessionId.includes('\0') ? null : await findCheckoutBySession(manager, sessionId);
    const secret = String(ctx.query.secret ?? '');
    const look = checkout !== null && checkout.state !== 'paid';
    const mayLook = await count(ctx, checkout && checkout.id, { look });
    if (!checkout) return showNotFound(ctx);
    ctx.set('Referrer-Policy', 'no-referrer');
    if (checkout.invoice_id) return showPaidInvoice(ctx, deps, checkout, { secret, mayLook });
    if (checkout.change_id) return showPaidChange(ctx, deps, checkout, { secret, mayLook });
    if (mayLook && checkout.state !== 'closed') {
      // A failure says nothing about the payment. The page keeps waiting, and the other ways to confirm
      // continue.
      await lookAtOpenCheckout(deps, checkout, CONFIRM_WITHIN_MS).catch((error) =>
        deps.log.warn({ err: error, booking: checkout.owner_id }, 'success page could not verify'),
      );
    }
    const booking = await findPayerBooking(manager, checkout.owner_id);
    if (!booking) return showNotFound(ctx);
    showAs(ctx, booking.workspace, booking.locale);
    await showOutcome(ctx, deps, booking, manageUrlFor(deps, booking, secret));
  };
}

/** `manageUrl`: only for payers, whose address has the secret. */
async function showOutcome(
  ctx: ApiContext,
  deps: ApiDependencies,
  booking: PayerBooking,
  manageUrl: string | null,
): Promise<void> {
  if (booking.status === 'confirmed' || booking.status === 'completed')
    return showConfirmed(ctx, booking, manageUrl);
  if (booking.status !== 'pending_payment') return showClosed(ctx, deps, booking);
  const words = wordsIn(ctx);
  showPage(ctx, 200, {
    title: words.say('payer.confirming'),
    mark: 'waiting',
    refresh: REFRESH_SECONDS,
    children: (
      <>
        <p>{words.say('payer.confirming_booking')}</p>
        <Booking booking={booking} />
      </>
    ),
  });
}

/** The label of the link to the booking, by what it can be used for. */
const LINK_LABELS = {
  move: 'payer.view_move_or_cancel',
  cancel: 'payer.view_or_cancel',
  see: 'payer.view_booking',
} as const satisfies Record<SelfService, WordKey>;

function showConfirmed(ctx: ApiContext, booking: PayerBooking, manageUrl: string | null): void {
  const { room, refund_percent_cap, price_minor, start_at, status } = booking;
  const now = new Date();
  const isErased = booking.manage_link_version === null;
  const words = wordsIn(ctx);
  showPage(ctx, 200, {
    title: words.say('payer.confirmed'),
    mark: 'good',
    children: (
      <>
        {!isErased && <p>{words.say('payer.confirmation_mailed')}</p>}
        <Booking
          booking={booking}
          terms={
            status === 'confirmed' &&
            start_at > now &&
            price_minor > 0 && (
              <RefundTerms
                steps={room.refund_steps}
                cap={refund_percent_cap}
                booking={booking}
                extras={extrasIn(booking)}
              />
            )
          }
        >
          {manageUrl && (
            <>
              <a class="button" href={`${manageUrl}/booking.ics`}>
                {words.say('payer.add_to_calendar')}
              </a>
              <a class="button plain" href={manageUrl}>
                {words.say(LINK_LABELS[computeSelfService(booking, room, now)])}
              </a>
              <ArrivalNotes of={visibleArrival(status, room)} />
            </>
          )}
        </Booking>
      </>
    ),
  });
}

/** A booking that has ended: why, what was paid, and what was refunded. */
async function showClosed(
  ctx: ApiContext,
  { db }: Pick<ApiDependencies, 'db'>,
  booking: PayerBooking,
): Promise<void> {
  const expired = booking.status === 'expired';
  const money = await findBookingMoney(db.manager, booking.id);
  const words = wordsIn(ctx);
  const sentences = describeMoney(words, money, booking.workspace.name);
  showPage(ctx, 200, {
    title: words.say(expired ? 'payer.expired' : 'payer.cancelled'),
    mark: 'bad',
    children: (
      <>
        {expired && <p>{words.say('payer.expired_why')}</p>}
        <p>{sentences.join(' ')}</p>
        <BookAgain at={booking.workspace} />
        <Booking booking={booking} />
      </>
    ),
  });
}

/**
 * `GET /checkout/left`: the page to which the payer returns without paying. It has no link to the booking,
 * because the checkout's id in its address is no secret. Unknown ids count against the client's address. A
 * booking's id is not accepted, because calendar files and events contain it.
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
    showAs(ctx, booking.workspace, booking.locale);
    if (booking.status === 'pending_payment') showOpen(ctx, booking);
    // The address stays in the browser's history, so it must not lead to a link that can cancel the booking.
    else await showOutcome(ctx, deps, booking, null);
  };
}

/** A hold that has ended while the processor is checked for a payment. */
function showHoldEnded(ctx: ApiContext, booking: PayerBooking): void {
  const words = wordsIn(ctx);
  showPage(ctx, 200, {
    title: words.say('payer.hold_expired'),
    mark: 'bad',
    children: (
      <>
        <p>{words.say('payer.hold_ended', { time: words.deadline(booking.expires_at!, booking) })}</p>
        <BookAgain at={booking.workspace} />
        <Booking booking={booking} />
      </>
    ),
  });
}

function showOpen(ctx: ApiContext, booking: PayerBooking): void {
  if (hasHoldLapsed(booking, new Date())) return showHoldEnded(ctx, booking);
  const words = wordsIn(ctx);
  showPage(ctx, 200, {
    title: words.say('payer.left_checkout'),
    mark: 'waiting',
    children: (
      <>
        <p>{words.say('payer.held_until', { time: words.deadline(booking.expires_at!, booking) })}</p>
        <Booking booking={booking}>
          <a class="button" href={booking.checkout_url!}>
            {words.say('payer.continue_to_payment')}
          </a>
        </Booking>
      </>
    ),
  });
}

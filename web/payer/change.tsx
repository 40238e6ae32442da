import { findChange, type BookingChange } from '../../db/queries/bookings/booking-change.js';
import { findPayerBooking, type PayerBooking } from '../../db/queries/bookings/payer-booking.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { lookAtOpenCheckout } from '../../api/resources/payments/verify.js';
import { manageUrlFor } from './return-secret.js';
import { showAs, useWords, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { Booked, BookingFacts, Contact } from '../ui/parts.js';

const CONFIRM_WITHIN_MS = 6_000;
const REFRESH_SECONDS = 3;

/**
 * The booking as it is now, and what to do next. `manageUrl`: only for payers, whose address has the secret.
 */
function ChangedBooking({ booking, manageUrl }: { booking: PayerBooking; manageUrl: string | null }) {
  const words = useWords();
  return (
    <>
      <Booked booking={booking} payee={booking.workspace.name} />
      {manageUrl && (
        <a class="button plain" href={manageUrl}>
          {words.say('payer.view_booking')}
        </a>
      )}
      <BookingFacts booking={booking} />
      <Contact of={booking.workspace} />
    </>
  );
}

const isWaiting = ({ state }: BookingChange): boolean => state === 'opening' || state === 'pending';

async function find({ db }: ApiDependencies, { change_id }: Checkout) {
  const change = (await findChange(db.manager, change_id!))!;
  return { change, booking: (await findPayerBooking(db.manager, change.booking_id))! };
}

/**
 * The page to which the payer of a change returns after paying
 * (docs/internals/architecture.md#payment-confirmation). `secret`: as in the address. `mayLook`: whether the
 * processor may be queried.
 */
export async function showPaidChange(
  ctx: ApiContext,
  deps: ApiDependencies,
  checkout: Checkout,
  { secret, mayLook }: { secret: string; mayLook: boolean },
): Promise<void> {
  let { change, booking } = await find(deps, checkout);
  if (mayLook && isWaiting(change)) {
    // A failure says nothing about the payment. The page keeps waiting, and the other ways to confirm
    // continue.
    const { session_id } = checkout;
    await lookAtOpenCheckout(deps, { owner_id: booking.id, session_id }, CONFIRM_WITHIN_MS).catch((error) =>
      deps.log.warn({ err: error, change: change.id }, 'success page could not verify'),
    );
    ({ change, booking } = await find(deps, checkout));
  }
  const words = showAs(ctx, booking.workspace, booking.locale);
  const manageUrl = manageUrlFor(deps, booking, secret);
  if (!isWaiting(change)) return showEnd(ctx, change, booking, manageUrl);
  showPage(ctx, 200, {
    title: words.say('payer.confirming'),
    mark: 'waiting',
    refresh: REFRESH_SECONDS,
    children: (
      <>
        <p>{words.say('payer.confirming_change')}</p>
        <ChangedBooking booking={booking} manageUrl={null} />
      </>
    ),
  });
}

function showEnd(
  ctx: ApiContext,
  change: BookingChange,
  booking: PayerBooking,
  manageUrl: string | null,
): void {
  const done = change.state === 'done';
  const words = wordsIn(ctx);
  showPage(ctx, 200, {
    title: words.say(done ? 'payer.changed' : 'payer.not_changed'),
    mark: done ? 'good' : 'bad',
    children: (
      <>
        <p>{words.say(done ? 'payer.change_mailed' : 'payer.change_not_paid')}</p>
        <ChangedBooking booking={booking} manageUrl={manageUrl} />
      </>
    ),
  });
}

/** The page to which the payer of a change returns without paying. */
export async function showChangeCheckout(
  ctx: ApiContext,
  deps: ApiDependencies,
  checkout: Checkout,
): Promise<void> {
  const { change, booking } = await find(deps, checkout);
  const words = showAs(ctx, booking.workspace, booking.locale);
  // The address stays in the browser's history, so it must not lead to a link that can cancel the booking.
  if (change.state !== 'pending' || !checkout.url) return showEnd(ctx, change, booking, null);
  showPage(ctx, 200, {
    title: words.say('payer.left_checkout'),
    mark: 'waiting',
    children: (
      <>
        <p>{words.say('payer.change_held_until', { time: words.deadline(change.expires_at!, booking) })}</p>
        <a class="button" href={checkout.url}>
          {words.say('payer.pay', { amount: words.amount(checkout.amount_minor, checkout.currency) })}
        </a>
        <ChangedBooking booking={booking} manageUrl={null} />
      </>
    ),
  });
}

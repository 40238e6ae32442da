import { previewChange, type ChangePreview } from '../../../db/repositories/bookings/change-booking.js';
import { transaction } from '../../../db/transaction.js';
import type { ChangeRequest } from '../../../domain/booking-change.js';
import { ApiError } from '../../../domain/errors.js';
import { changeBooking } from '../../bookings/change.js';
import type { PayableChange } from '../../bookings/pending-change.js';
import type { ApiDependencies } from '../../dependencies.js';
import { readFields } from '../../http/body.js';
import type { ApiContext } from '../../http/context.js';
import { showPage } from '../layout.js';
import { amountOf, Contact, Facts, timeOf } from '../parts.js';
import type { Managed } from './access.js';
import { minorIn } from './cancel.js';
import { showProblem, showSwitchedOff } from './problems.js';
import { refundInWords } from './refund-in-words.js';

const MINUTE = 60_000;
/** The longest time that a form may ask for; the room's limits are checked after that. */
const MAX_MINUTES = 527_040;

/** Where a booking is to be moved to: UTC milliseconds and minutes. */
interface Target {
  start: number;
  minutes: number;
}

const requestOf = ({ start, minutes }: Target): ChangeRequest => ({
  start_at: start,
  end_at: start + minutes * MINUTE,
});

const isWhereItIs = ({ start_at, end_at }: Managed['booking'], { start, minutes }: Target): boolean =>
  start === start_at.getTime() && start + minutes * MINUTE === end_at.getTime();

/** What a move costs or gives back, in sentences. */
function differenceInWords(preview: ChangePreview, managed: Managed): string[] {
  const { charge_minor, refund_minor, price_minor, plan, payment } = preview;
  const { price_minor: before, currency } = managed.booking;
  const amount = (minor: number): string => amountOf(minor, currency);
  const sentences = [
    payment === 'link'
      ? `${amount(charge_minor)} is due. You pay on the next page, and your booking is moved once the payment is complete.`
      : charge_minor > 0
        ? `${amount(charge_minor)} is charged now to the card you paid with. If your bank asks you to authenticate, you pay on the next page. If the charge is declined, nothing changes, and you can pay with another card.`
        : refund_minor > 0
          ? refundInWords(preview, managed)
          : 'Nothing is charged or refunded.',
  ];
  if (before - price_minor > refund_minor)
    sentences.push('Under the refund terms, the rest of the difference is not refunded.');
  const percent = plan.move?.refund_percent ?? 100;
  if (percent < 100)
    sentences.push(
      percent === 0
        ? 'If you cancel after the move, nothing of what you have paid so far is refunded.'
        : `If you cancel after the move, at most ${percent}% of what you have paid so far is refunded.`,
    );
  return sentences;
}

/** Shows what a move costs now, and the button that makes it. `again`: the difference is not the one that was shown. */
export async function askMove(
  ctx: ApiContext,
  deps: ApiDependencies,
  managed: Managed,
  target: Target,
  again = false,
): Promise<void> {
  const { booking, path } = managed;
  const { workspace_id, id: booking_id, currency, time_zone } = booking;
  let preview: ChangePreview;
  try {
    preview = await transaction(deps.db, (tx) =>
      previewChange(tx, { workspace_id, booking_id, request: requestOf(target) }),
    );
  } catch (error) {
    return showProblem(ctx, error, managed, `${path}/move`);
  }
  const { charge_minor, refund_minor, price_minor } = preview;
  const { start_at, end_at } = requestOf(target);
  const then = { start_at: new Date(start_at!), end_at: new Date(end_at!), time_zone, currency };
  const prices =
    price_minor === booking.price_minor
      ? `${amountOf(price_minor, currency)}, unchanged`
      : `${amountOf(booking.price_minor, currency)} → ${amountOf(price_minor, currency)}`;
  showPage(ctx, again ? 409 : 200, {
    title: 'Move your booking?',
    children: (
      <>
        {again && (
          <p role="alert">The price has changed since you opened this page. Nothing has been moved.</p>
        )}
        <Facts
          of={[
            ['Room', booking.room_name],
            ['Current', timeOf(booking)],
            ['New', timeOf(then)],
            ['Price', prices],
          ]}
        />
        <p id="difference">{differenceInWords(preview, managed).join(' ')}</p>
        <form method="post" action={`${path}/move`}>
          <input type="hidden" name="start" value={then.start_at.toISOString()} />
          <input type="hidden" name="minutes" value={target.minutes} />
          <input type="hidden" name="difference_minor" value={charge_minor - refund_minor} />
          <button type="submit">
            {charge_minor > 0
              ? `Move and pay ${amountOf(charge_minor, currency)}`
              : refund_minor > 0
                ? `Move and refund ${amountOf(refund_minor, currency)}`
                : 'Move booking'}
          </button>
        </form>
        <a class="button plain" href={`${path}/move`}>
          Choose another time
        </a>
      </>
    ),
  });
}

/** Offers the hosted page, where the payer can use another card. */
function offerAnotherCard(
  ctx: ApiContext,
  { workspace, path }: Managed,
  { start, minutes }: Target,
  difference_minor: number,
): void {
  showPage(ctx, 402, {
    title: 'Your card was declined',
    mark: 'bad',
    children: (
      <>
        <p role="alert">
          Your booking has not been moved. You can pay the difference with another card; your booking is moved
          once the payment is complete.
        </p>
        <form method="post" action={`${path}/move`}>
          <input type="hidden" name="start" value={new Date(start).toISOString()} />
          <input type="hidden" name="minutes" value={minutes} />
          <input type="hidden" name="difference_minor" value={difference_minor} />
          <input type="hidden" name="pay_by_link" value="true" />
          <button type="submit">Pay with another card</button>
        </form>
        <Contact of={workspace} />
        <a class="button plain" href={path}>
          Back to booking
        </a>
      </>
    ),
  });
}

/** A page and not a redirect: browsers follow a form's redirect only to the origins that the policy names. */
function goToPayment(ctx: ApiContext, url: string, path: string): void {
  showPage(ctx, 200, {
    title: 'Continue to payment',
    mark: 'waiting',
    goTo: url,
    children: (
      <>
        <p>Your booking is moved once you have paid the difference.</p>
        <a class="button" href={url}>
          Continue to payment
        </a>
        <a class="button plain" href={path}>
          Back to booking
        </a>
      </>
    ),
  });
}

/**
 * `POST /manage/:token/move` moves like the API, if the difference is the one that was shown. Leads to the hosted page if
 * only the payer can pay it.
 */
export const move =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path, self_service } = managed;
    if (!self_service) return showSwitchedOff(ctx, managed);
    const fields = await readFields(ctx);
    const target = {
      start: Date.parse(fields.get('start')?.[0] ?? ''),
      minutes: Number(fields.get('minutes')?.[0]),
    };
    const shown = minorIn(fields.get('difference_minor')?.[0]);
    if (Number.isNaN(target.start) || !(target.minutes > 0 && target.minutes <= MAX_MINUTES)) {
      ctx.status = 303;
      return ctx.redirect(`${path}/move`);
    }
    if (isWhereItIs(booking, target)) {
      ctx.status = 303;
      return ctx.redirect(`${path}?done=same`);
    }
    if (shown === undefined) return askMove(ctx, deps, managed, target);
    const request = {
      ...requestOf(target),
      expected_difference_minor: shown,
      ...(fields.has('pay_by_link') && { pay_by_link: true }),
    };
    let pending: PayableChange | null;
    try {
      const asked = { request, on_authentication: 'link' } as const;
      ({ pending } = await changeBooking(deps, { guest: booking.id }, booking, asked));
    } catch (error) {
      const reason = error instanceof ApiError && error.context.details?.reason;
      if (reason === 'difference_changed') return askMove(ctx, deps, managed, target, true);
      if (reason === 'declined') return offerAnotherCard(ctx, managed, target, shown);
      return showProblem(ctx, error, managed, `${path}/move`);
    }
    if (pending) return goToPayment(ctx, pending.checkout_url, path);
    ctx.status = 303;
    ctx.redirect(`${path}?done=moved`);
  };

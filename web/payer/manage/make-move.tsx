import { MINUTE_MS } from '../../../domain/durations.js';
import joi from 'joi';
import { ApiError } from '../../../domain/errors.js';
import { requestChange } from '../../../api/resources/bookings/update.js';
import { findPayableChange, type PayableChange } from '../../../api/resources/bookings/pending-change.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { showPage } from '../../ui/layout.js';
import { amountOf, timeOf } from '../../ui/parts.js';
import type { Managed } from './access.js';
import { shownMinor } from './cancel.js';
import { askMove, MoveForm, requestOf, type Target } from './move-confirmation.js';
import { showProblem } from './problems.js';

/** The longest time that a form may ask for; the room's limits are checked after that. */
const MAX_MINUTES = 527_040;

/** Where it is to be moved to, and the price difference that was shown; null for what is missing or impossible. */
export const moveFields = {
  start: joi.date().iso().failover(null).default(null),
  minutes: joi.number().greater(0).max(MAX_MINUTES).failover(null).default(null),
  difference_minor: shownMinor,
  pay_by_link: joi.valid('yes').failover(null),
};

interface MoveFields {
  start: Date | null;
  minutes: number | null;
  difference_minor: number | null;
  pay_by_link?: 'yes' | null;
}

const isWhereItIs = ({ start_at, end_at }: Managed['booking'], { start, minutes }: Target): boolean =>
  start === start_at.getTime() && start + minutes * MINUTE_MS === end_at.getTime();

/** Whether a change that waits for its payment is the move to `target`: the form was sent twice. */
const isTo = ({ plan }: PayableChange, target: Target): boolean =>
  plan.move?.start_at === target.start && plan.move.end_at === target.start + target.minutes * MINUTE_MS;

/** The code of an API error, and the reason in its details. */
const refusalIn = (error: unknown): { code?: string; reason?: unknown } =>
  error instanceof ApiError ? { code: error.code, reason: error.context.details?.reason } : {};

/** Says that the card on file was declined, and offers the same move with another card. */
function offerOtherCard(
  ctx: ApiContext,
  { booking, path }: Managed,
  target: Target,
  charge_minor: number,
): void {
  const { time_zone, currency } = booking;
  const { start_at, end_at } = requestOf(target);
  const then = timeOf({ start_at: new Date(start_at!), end_at: new Date(end_at!), time_zone, currency });
  showPage(ctx, 402, {
    title: 'Your card was declined',
    mark: 'bad',
    children: (
      <>
        <p role="alert">
          Your booking has not been moved, and nothing has been charged. It is still {timeOf(booking)}.
        </p>
        <p>
          You can pay the {amountOf(charge_minor, currency)} for the move to {then} with another card. Both
          times are held for you while you pay.
        </p>
        <MoveForm path={path} target={{ ...target, pay_by_link: true }} difference_minor={charge_minor}>
          <button type="submit">Pay with another card</button>
        </MoveForm>
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
    const { booking, path } = managed;
    const { start, minutes, difference_minor: shown, pay_by_link } = ctx.state.body as MoveFields;
    if (start === null || minutes === null) {
      ctx.status = 303;
      return ctx.redirect(`${path}/move`);
    }
    const target = { start: start.getTime(), minutes, pay_by_link: pay_by_link === 'yes' };
    if (isWhereItIs(booking, target)) {
      ctx.status = 303;
      return ctx.redirect(`${path}?done=same`);
    }
    if (shown === null) return askMove(ctx, deps, managed, target);
    const request = { ...requestOf(target), expected_difference_minor: shown };
    let pending: PayableChange | null;
    try {
      const asked = { request, on_authentication: 'link' } as const;
      ({ pending } = await requestChange(deps, { guest: booking.id }, booking, asked));
    } catch (error) {
      const { code, reason } = refusalIn(error);
      if (reason === 'difference_changed') return askMove(ctx, deps, managed, target, true);
      if (reason === 'declined') return offerOtherCard(ctx, managed, target, shown);
      if (code === 'change_pending') {
        const waiting = await findPayableChange(deps, booking.id);
        if (waiting && isTo(waiting, target)) return goToPayment(ctx, waiting.checkout_url, path);
        return showProblem(ctx, error, managed, path);
      }
      return showProblem(ctx, error, managed, `${path}/move`);
    }
    if (pending) return goToPayment(ctx, pending.checkout_url, path);
    ctx.status = 303;
    ctx.redirect(`${path}?done=moved`);
  };

import joi from 'joi';
import { findPendingChange } from '../../../db/queries/bookings/booking-change.js';
import { isUnproven } from '../../../db/queries/mail/unproven-booking.js';
import { whyNotCancel } from '../../../domain/bookings/cancellation.js';
import { ApiError, refusalError } from '../../../domain/errors.js';
import { describeDisputed, describeEarlierRefunds } from '../../../domain/bookings/money.js';
import { describeRefund } from '../../../domain/payments/refund-parts.js';
import { requestCancellation } from '../../../api/resources/bookings/cancel.js';
import {
  quoteCancellation,
  type PossibleCancellation,
} from '../../../api/resources/bookings/cancellation-refunds.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Words } from '../../../domain/words/words.js';
import { wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import { Booked, BookingFacts } from '../../ui/parts.js';
import type { Managed } from './access.js';
import { describeChange } from './pending-change.js';
import { showProblem } from './problems.js';

/** `GET /manage/:token/cancel`: what a cancellation refunds now. */
export const showCancel =
  (deps: ApiDependencies) =>
  (ctx: ApiContext, managed: Managed): Promise<void> =>
    ask(ctx, deps, managed, false);

/** The amount that stays due after cancelling a booking on account. */
function describeOwed(
  words: Words,
  { waived_minor, kept_minor }: Extract<PossibleCancellation, { kind: 'owed' }>,
  amount: (minor: number) => string,
): string {
  if (kept_minor === 0) return words.say('payer.account_waived', { amount: amount(waived_minor) });
  if (waived_minor === 0) return words.say('payer.account_kept', { amount: amount(kept_minor) });
  return words.say('payer.account_waived_kept', { waived: amount(waived_minor), kept: amount(kept_minor) });
}

function describeCancellationForPayer(
  words: Words,
  shown: PossibleCancellation,
  { booking }: Managed,
): string {
  const { status, price_minor, currency, account_days } = booking;
  const amount = (minor: number): string => words.amount(minor, currency);
  if (shown.kind === 'owed') return describeOwed(words, shown, amount);
  if (status === 'pending_payment' || price_minor === 0) return words.say('payer.nothing_paid');
  const disputed = describeDisputed(words, shown, amount);
  if (shown.refund_minor === 0)
    return disputed.length > 0
      ? [...disputed, words.say('terms.none_refunded')].join(' ')
      : words.say('payer.nothing_refunded');
  const payment = { payee: booking.workspace.name, is_on_account: account_days !== null };
  return [
    ...disputed,
    ...describeEarlierRefunds(words, shown, amount),
    ...describeRefund(words, shown, payment, amount),
  ].join(' ');
}

async function ask(ctx: ApiContext, deps: ApiDependencies, managed: Managed, again: boolean): Promise<void> {
  const { booking, path } = managed;
  if (booking.status === 'cancelled') return ctx.redirect(path);
  const refusal = whyNotCancel(booking, new Date());
  if (refusal) return showProblem(ctx, refusalError(refusal), managed, path);
  const shown = await quoteCancellation(deps, booking);
  if (shown.kind === 'refused') return showProblem(ctx, refusalError(shown.refusal), managed, path);
  const pending = await findPendingChange(deps.db.manager, booking.id);
  const refund = shown.kind === 'refund' ? shown.refund_minor : 0;
  const expected = shown.kind === 'refund' ? shown.refund_minor : shown.waived_minor;
  const words = wordsIn(ctx);
  showPage(ctx, again ? 409 : 200, {
    title: words.say('payer.cancel_title'),
    children: (
      <>
        {again && <p role="alert">{words.say('payer.refund_changed')}</p>}
        <Booked booking={booking} payee={booking.workspace.name} />
        <p>
          {describeCancellationForPayer(words, shown, managed)} {words.say('payer.cannot_be_undone')}
        </p>
        {pending && (
          <p>
            {words.say('payer.change_withdrawn_too', {
              to: await describeChange(deps, words, booking, pending),
            })}
          </p>
        )}
        <BookingFacts booking={booking} />
        <form method="post" action={`${path}/cancel`}>
          <input type="hidden" name="refund_minor" value={expected} />
          <button type="submit" class="danger">
            {refund > 0
              ? words.say('payer.cancel_and_refund', { amount: words.amount(refund, booking.currency) })
              : words.say('payer.cancel_booking')}
          </button>
        </form>
        <a class="button plain" href={path}>
          {words.say('payer.keep_booking')}
        </a>
      </>
    ),
  });
}

/** The amount that the page showed, in minor units; null if the form has none. */
export const shownMinor = joi.number().integer().failover(null).default(null);

export const cancelFields = { refund_minor: shownMinor };

/**
 * `POST /manage/:token/cancel` cancels like the API, under the room's refund terms, if the refund is still
 * the one that was shown. If it has changed since, the payer has to confirm again.
 */
export const cancel =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    const { refund_minor } = ctx.state.body as { refund_minor: number | null };
    if (refund_minor === null) return ask(ctx, deps, managed, false);
    try {
      await requestCancellation(deps, { guest: booking.id }, booking, {
        refund_policy: 'standard',
        notify_attendees: true,
        expected_refund_minor: refund_minor,
      });
    } catch (error) {
      if (error instanceof ApiError && error.context.details?.reason === 'refund_changed')
        return ask(ctx, deps, managed, true);
      return showProblem(ctx, error, managed, path);
    }
    ctx.status = 303;
    const isMailed = !(await isUnproven(deps.db.manager, booking.id));
    ctx.redirect(isMailed ? `${path}?done=cancelled` : path);
  };

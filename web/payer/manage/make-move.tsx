import joi from 'joi';
import { findPayerBooking } from '../../../db/queries/bookings/payer-booking.js';
import { MAX_ELAPSED_MINUTES } from '../../../domain/bookings/slots.js';
import { ApiError } from '../../../domain/errors.js';
import { requestChange } from '../../../api/resources/bookings/update.js';
import { findPayableChange, type PayableChange } from '../../../api/resources/bookings/pending-change.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { clientAddress } from '../../../api/http/client.js';
import type { ApiContext } from '../../../api/http/context.js';
import { wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import type { Managed } from './access.js';
import { shownMinor } from './cancel.js';
import { askMove, toMoveRequest, toTarget, type MoveTarget } from './move-confirmation.js';
import { showProblem } from './problems.js';

/**
 * The target of the move and the price difference that was shown; null for missing or invalid values. The
 * room's limits are checked after that.
 */
export const moveFields = {
  start: joi.date().iso().failover(null).default(null),
  minutes: joi.number().greater(0).max(MAX_ELAPSED_MINUTES).failover(null).default(null),
  difference_minor: shownMinor,
};

interface MoveFields {
  start: Date | null;
  minutes: number | null;
  difference_minor: number | null;
}

const isWhereItIs = ({ start_at, end_at }: Managed['booking'], { start, end }: MoveTarget): boolean =>
  start === start_at.getTime() && end === end_at.getTime();

/** Whether the pending change is the move to `target`, because the form was sent twice. */
const isTo = ({ plan }: PayableChange, target: MoveTarget): boolean =>
  plan.move?.start_at === target.start && plan.move.end_at === target.end;

/** The code of an API error, and the reason in its details. */
export const refusalIn = (error: unknown): { code?: string; reason?: unknown } =>
  error instanceof ApiError ? { code: error.code, reason: error.context.details?.reason } : {};

/** A page instead of a redirect: browsers follow a form's redirect only to origins in the page's policy. */
export function goToPayment(ctx: ApiContext, url: string, path: string): void {
  const words = wordsIn(ctx);
  showPage(ctx, 200, {
    title: words.say('payer.continue_to_payment'),
    mark: 'waiting',
    goTo: url,
    children: (
      <>
        <p>{words.say('payer.paid_then_changed')}</p>
        <a class="button" href={url}>
          {words.say('payer.continue_to_payment')}
        </a>
        <a class="button plain" href={path}>
          {words.say('payer.back_to_booking')}
        </a>
      </>
    ),
  });
}

/**
 * `POST /manage/:token/move` moves like the API, if the difference is still the one that was shown. Redirects
 * to the hosted page if the new price is higher.
 */
export const move =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    const { start, minutes, difference_minor: shown } = ctx.state.body as MoveFields;
    if (start === null || minutes === null) {
      ctx.status = 303;
      return ctx.redirect(`${path}/move`);
    }
    const target = toTarget(managed, start.getTime(), minutes);
    if (isWhereItIs(booking, target)) {
      ctx.status = 303;
      return ctx.redirect(`${path}?done=same`);
    }
    if (shown === null) return askMove(ctx, deps, managed, target);
    const request = { ...toMoveRequest(target), expected_difference_minor: shown };
    let pending: PayableChange | null;
    try {
      const by_link = { room: booking.room, address: clientAddress(ctx) };
      const asked = { request, on_authentication: 'link', by_link } as const;
      ({ pending } = await requestChange(deps, { guest: booking.id }, booking, asked));
    } catch (error) {
      const { code, reason } = refusalIn(error);
      const now = await findPayerBooking(deps.db.manager, booking.id);
      // The form was sent twice, and the other request was faster.
      if (now && isWhereItIs(now, target)) {
        ctx.status = 303;
        return ctx.redirect(`${path}?done=moved`);
      }
      if (reason === 'difference_changed') return askMove(ctx, deps, managed, target, true);
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

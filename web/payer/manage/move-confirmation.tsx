import type { ComponentChildren } from 'preact';
import { previewChange, type ChangePreview } from '../../../commands/bookings/change/plan.js';
import type { ChangeRequest } from '../../../domain/bookings/change.js';
import { addLength } from '../../../domain/rooms/grid.js';
import { describeCredits, describeDisputed } from '../../../domain/bookings/money.js';
import { describeRefund } from '../../../domain/payments/refund-parts.js';
import { duePercent } from '../../../domain/bookings/refund-words.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Words } from '../../../domain/words/words.js';
import { wordsIn } from '../../ui/language.js';
import { showPage } from '../../ui/layout.js';
import { FactList } from '../../ui/parts.js';
import type { Managed } from './access.js';
import { showProblem } from './problems.js';

/** The target of a move, in UTC milliseconds. `minutes`: its length, in the unit that forms use. */
export interface MoveTarget {
  start: number;
  end: number;
  minutes: number;
}

/** The end of a move within its room. */
export const toTarget = ({ booking: { room } }: Managed, start: number, minutes: number): MoveTarget => ({
  start,
  end: addLength(start, minutes, room),
  minutes,
});

/**
 * The change request of a move by link. The link does not prove that the payer is present, so the card on
 * file is not charged: a higher price is paid on the hosted page (docs/rules/bookings.md#manage-link).
 */
export const toMoveRequest = ({ start, end }: MoveTarget): ChangeRequest => ({
  start_at: start,
  end_at: end,
  pay_by_link: true,
});

/** Describes the charge or refund of a move or a change of extras. */
export function describeChangePreview(words: Words, preview: ChangePreview, { booking }: Managed): string[] {
  const { price_minor: before, currency, account_days, workspace } = booking;
  const { charge_minor, refund_minor, price_minor, plan, later_percent } = preview;
  const paid = { payee: workspace.name, is_on_account: account_days !== null };
  const amount = (minor: number): string => words.amount(minor, currency);
  const sentences = [
    ...describeDisputed(words, preview, amount),
    charge_minor > 0
      ? words.say('payer.difference_due', { amount: amount(charge_minor) })
      : refund_minor > 0
        ? describeRefund(words, preview, paid, amount).join(' ')
        : words.say('payer.no_difference'),
  ];
  const kept_minor = before - price_minor - refund_minor;
  if (kept_minor > 0)
    sentences.push(
      words.say(refund_minor > 0 ? 'payer.rest_of_difference_kept' : 'payer.difference_kept', {
        amount: amount(kept_minor),
      }),
    );
  sentences.push(...describeCredits(words, booking, plan.move));
  if (later_percent < 100) sentences.push(describeLimit(words, preview));
  return sentences;
}

/** How a move limits what a later cancellation refunds, or no longer leaves due. */
function describeLimit(words: Words, { is_unpaid, later_percent: percent }: ChangePreview): string {
  if (percent === 0) return words.say(is_unpaid ? 'payer.due_after_move_all' : 'payer.cap_after_move_none');
  return is_unpaid
    ? words.say('payer.due_after_move', { percent: words.number(duePercent(percent)) })
    : words.say('payer.cap_after_move', { percent: words.number(percent) });
}

/**
 * Shows what a move costs now, with the button to make it. `again`: the difference has changed since it was
 * shown.
 */
export async function askMove(
  ctx: ApiContext,
  deps: ApiDependencies,
  managed: Managed,
  target: MoveTarget,
  again = false,
): Promise<void> {
  const { booking, path } = managed;
  const { workspace_id, id: booking_id, currency, time_zone } = booking;
  let preview: ChangePreview;
  try {
    preview = await previewChange(deps.db, { workspace_id, booking_id, request: toMoveRequest(target) });
  } catch (error) {
    return showProblem(ctx, error, managed, `${path}/move`);
  }
  const { charge_minor, refund_minor, price_minor } = preview;
  const { start_at, end_at } = toMoveRequest(target);
  const then = { start_at: new Date(start_at!), end_at: new Date(end_at!), time_zone, currency };
  const words = wordsIn(ctx);
  const prices =
    price_minor === booking.price_minor
      ? words.say('payer.price_unchanged', { amount: words.amount(price_minor, currency) })
      : `${words.amount(booking.price_minor, currency)} → ${words.amount(price_minor, currency)}`;
  showPage(ctx, again ? 409 : 200, {
    title: words.say('payer.move_ask'),
    children: (
      <>
        {again && <p role="alert">{words.say('payer.price_changed_not_moved')}</p>}
        <FactList
          of={[
            [words.say('payer.room'), booking.room_name],
            [words.say('payer.current'), words.span(booking)],
            [words.say('payer.new'), words.time(then)],
            [words.say('payer.price'), prices],
          ]}
        />
        <p id="difference">{describeChangePreview(words, preview, managed).join(' ')}</p>
        <MoveForm path={path} target={target} difference_minor={charge_minor - refund_minor}>
          <button type="submit">
            {charge_minor > 0
              ? words.say('payer.move_and_pay', { amount: words.amount(charge_minor, currency) })
              : refund_minor > 0
                ? words.say('payer.move_and_refund', { amount: words.amount(refund_minor, currency) })
                : words.say('payer.move_booking')}
          </button>
        </MoveForm>
        <a class="button plain" href={`${path}/move`}>
          {words.say('payer.other_time')}
        </a>
      </>
    ),
  });
}

/** The form that makes a move, if its difference is still the one that is shown. */
function MoveForm(props: {
  path: string;
  target: MoveTarget;
  difference_minor: number;
  children: ComponentChildren;
}) {
  const { path, target, difference_minor, children } = props;
  return (
    <form method="post" action={`${path}/move`}>
      <input type="hidden" name="start" value={new Date(target.start).toISOString()} />
      <input type="hidden" name="minutes" value={target.minutes} />
      <input type="hidden" name="difference_minor" value={difference_minor} />
      {children}
    </form>
  );
}

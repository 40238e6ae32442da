import type { PendingChange as PendingChangeRow } from '../../../db/queries/bookings/booking-change.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { ApiError } from '../../../domain/errors.js';
import { withdrawPendingChange, type PayableChange } from '../../../api/resources/bookings/pending-change.js';
import type { Words } from '../../../domain/words/words.js';
import { useWords } from '../../ui/language.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Managed } from './access.js';
import { showProblem } from './problems.js';

/** A move that is not paid yet: its new time, its deadline, and how to pay for or withdraw it. */
export function PendingChange({ managed, pending }: { managed: Managed; pending: PayableChange }) {
  const { booking, path } = managed;
  const words = useWords();
  const amount = words.amount(pending.amount_minor, booking.currency);
  return (
    <section id="pending-change">
      <p>
        {words.say('payer.pending_move', {
          time: formatNewTime(words, booking, pending),
          amount,
          until: words.deadline(pending.expires_at, booking),
        })}
      </p>
      <a class="button" href={pending.checkout_url}>
        {words.say('payer.pay', { amount })}
      </a>
      {managed.booking.room.self_service && (
        <form method="post" action={`${path}/withdraw`}>
          <button type="submit" class="quiet">
            {words.say('payer.cancel_move')}
          </button>
        </form>
      )}
    </section>
  );
}

/** The time that a booking is to have after a change, in its zone. */
export function formatNewTime(
  words: Words,
  booking: Managed['booking'],
  { plan }: Pick<PendingChangeRow, 'plan'>,
): string {
  const { start_at, end_at } = plan.move!;
  return words.span({ ...booking, start_at: new Date(start_at), end_at: new Date(end_at) });
}

/**
 * `POST /manage/:token/withdraw`. If no move is waiting, the booking's page shows
 * its outcome.
 */
export const withdraw =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    try {
      await withdrawPendingChange(deps, { guest: booking.id }, booking);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_found')
        return showProblem(ctx, error, managed, path);
      ctx.status = 303;
      return ctx.redirect(path);
    }
    ctx.status = 303;
    ctx.redirect(`${path}?done=withdrawn`);
  };

import type { ApiDependencies } from '../../dependencies.js';
import { withdrawPendingChange, type PayableChange } from '../../bookings/pending-change.js';
import { formatMoment, localeOf } from '../../dashboard/shared/format.js';
import type { ApiContext } from '../../http/context.js';
import { amountOf, timeOf } from '../parts.js';
import type { Managed } from './access.js';
import { showProblem, showSwitchedOff } from './problems.js';

/** A move that the payer has not paid yet: what it is, until when, and the ways to pay or withdraw it. */
export function PendingChange({ managed, pending }: { managed: Managed; pending: PayableChange }) {
  const { booking, path } = managed;
  const { currency, time_zone } = booking;
  const move = pending.plan.move!;
  const then = { start_at: new Date(move.start_at), end_at: new Date(move.end_at), time_zone, currency };
  return (
    <section id="pending-change">
      <p>
        The move to {timeOf(then)} costs {amountOf(pending.amount_minor, currency)} more. Both times are held
        for you until {formatMoment(pending.expires_at, time_zone, localeOf(booking))} ({time_zone}). If it is
        not paid by then, your booking stays as it is.
      </p>
      <a class="button" href={pending.checkout_url}>
        Pay {amountOf(pending.amount_minor, currency)}
      </a>
      {managed.self_service && (
        <form method="post" action={`${path}/withdraw`}>
          <button type="submit" class="quiet">
            Cancel the move
          </button>
        </form>
      )}
    </section>
  );
}

/** `POST /manage/:token/withdraw` */
export const withdraw =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path, self_service } = managed;
    if (!self_service) return showSwitchedOff(ctx, managed);
    try {
      await withdrawPendingChange(deps, booking);
    } catch (error) {
      return showProblem(ctx, error, managed, path);
    }
    ctx.status = 303;
    ctx.redirect(`${path}?done=withdrawn`);
  };

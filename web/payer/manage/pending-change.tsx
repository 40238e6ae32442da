import type { PendingChange as PendingChangeRow } from '../../../db/queries/bookings/booking-change.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { withdrawPendingChange, type PayableChange } from '../../../api/resources/bookings/pending-change.js';
import { formatsIn } from '../../ui/formats.js';
import type { ApiContext } from '../../../api/http/context.js';
import { amountOf } from '../../ui/parts.js';
import type { Managed } from './access.js';
import { showProblem } from './problems.js';

/** A move that the payer has not paid yet: what it is, until when, and the ways to pay or withdraw it. */
export function PendingChange({ managed, pending }: { managed: Managed; pending: PayableChange }) {
  const { booking, path } = managed;
  const { currency } = booking;
  return (
    <section id="pending-change">
      <p>
        The move to {newTimeOf(booking, pending)} costs {amountOf(pending.amount_minor, currency)} more. Both
        times are held for you until {formatsIn(booking).moment(pending.expires_at)}. If it is not paid by
        then, your booking stays as it is. Cancelling the booking withdraws the move too.
      </p>
      <a class="button" href={pending.checkout_url}>
        Pay {amountOf(pending.amount_minor, currency)}
      </a>
      {managed.booking.room.self_service && (
        <form method="post" action={`${path}/withdraw`}>
          <button type="submit" class="quiet">
            Cancel the move
          </button>
        </form>
      )}
    </section>
  );
}

/** The time that a booking is to have after a change, in its zone. */
export function newTimeOf(booking: Managed['booking'], { plan }: Pick<PendingChangeRow, 'plan'>): string {
  const { start_at, end_at } = plan.move!;
  const { time_zone } = booking;
  return formatsIn(booking).span({ start_at: new Date(start_at), end_at: new Date(end_at), time_zone });
}

/** `POST /manage/:token/withdraw` */
export const withdraw =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, managed: Managed): Promise<void> => {
    const { booking, path } = managed;
    try {
      await withdrawPendingChange(deps, booking);
    } catch (error) {
      return showProblem(ctx, error, managed, path);
    }
    ctx.status = 303;
    ctx.redirect(`${path}?done=withdrawn`);
  };

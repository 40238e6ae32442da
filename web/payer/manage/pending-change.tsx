import type { PendingChange as PendingChangeRow } from '../../../db/queries/bookings/booking-change.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { changesPlace } from '../../../domain/bookings/change.js';
import { formatExtras, sameExtras } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { ApiError } from '../../../domain/errors.js';
import { withdrawPendingChange, type PayableChange } from '../../../api/resources/bookings/pending-change.js';
import type { Words } from '../../../domain/words/words.js';
import { useWords } from '../../ui/language.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Managed } from './access.js';
import { showProblem } from './problems.js';

/**
 * A change that is not paid yet: its deadline, and how to pay for or withdraw it. `to`: as `describeChange`
 * describes it.
 */
export function PendingChange(props: { managed: Managed; pending: PayableChange; to: string }) {
  const { managed, pending, to } = props;
  const { booking, path } = managed;
  const words = useWords();
  const amount = words.amount(pending.amount_minor, booking.currency);
  return (
    <section id="pending-change">
      <p>
        {words.say('payer.pending_change', {
          to,
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
            {words.say('payer.cancel_change')}
          </button>
        </form>
      )}
    </section>
  );
}

/**
 * What a booking is to have after a change that waits for payment: its new room, time and extras, as far as
 * they change. `Tue 24 Nov, 10:00–12:00, 2 × Lunch`.
 */
export async function describeChange(
  { db }: Pick<ApiDependencies, 'db'>,
  words: Words,
  booking: Managed['booking'],
  { plan }: Pick<PendingChangeRow, 'plan'>,
): Promise<string> {
  const move = plan.move!;
  const isElsewhere = move.room_id !== booking.room_id;
  const room = isElsewhere && (await findRoom(db.manager, booking.workspace_id, move.room_id));
  const place = { time_zone: (room || booking).time_zone, currency: booking.currency };
  const span = { ...place, start_at: new Date(move.start_at), end_at: new Date(move.end_at) };
  const extras = extrasIn({ pricing: move.pricing ?? null });
  return [
    room && room.name,
    changesPlace(booking, move) && words.span(span),
    !sameExtras(extras, extrasIn(booking)) && (formatExtras(extras) || words.say('payer.no_extras')),
  ]
    .filter(Boolean)
    .join(', ');
}

/**
 * `POST /manage/:token/withdraw`. If no change is waiting, the booking's page shows
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

import type { UnfinishedBlackout } from '../../../db/queries/blackouts/blackout.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { pathIn } from '../shared/paths.js';

/** Blackouts with decisions that failed or were interrupted. */
export function UnfinishedBlackouts({ ctx, of }: { ctx: ApiContext; of: UnfinishedBlackout[] }) {
  const { span } = createFormats(ctx);
  if (of.length === 0) return null;
  return (
    <article class="card trouble">
      <strong>Bookings still overlap a blackout</strong>
      <p class="soft">Open the blackout to see why and what is left to do.</p>
      {of.map(({ id, room_id, room_name, bookings, ...times }) => (
        <p key={id}>
          <a href={pathIn(ctx, `/rooms/${room_id}/blackouts/${id}`)}>
            {room_name}, {span(times)}
          </a>
          : {bookings === 1 ? 'one booking' : `${bookings} bookings`}
        </p>
      ))}
    </article>
  );
}

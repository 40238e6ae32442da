import type { Room } from '../../../db/entities/rooms.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import { cheaperThanShorter, exampleTimes, rateExamples } from '../../../domain/rates/examples.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';

/**
 * Example prices with the room's rates, at times that can be booked, and with those of `before` where they
 * differ.
 */
export function Examples(props: { ctx: ApiContext; room: Room; before?: Room; taxCodes: TaxCode[] }) {
  const { ctx, room, before, taxCodes } = props;
  const now = Date.now();
  const { amount, span } = createFormats(ctx);
  const shown = (minor: number | null | undefined): string =>
    typeof minor === 'number' ? amount(minor, room.currency) : 'closed';
  const times = exampleTimes(before ?? room, now);
  const old = before && rateExamples(before, taxCodes, times, now);
  if (times.length === 0) return <p>The room has no time that guests can book.</p>;
  const cheaper = cheaperThanShorter(room, taxCodes, now);
  return (
    <>
      <ul>
        {rateExamples(room, taxCodes, times, now).map(({ start_at, end_at, price_minor }, index) => (
          <li key={index}>
            {span({ ...room, start_at, end_at })}: <strong>{shown(price_minor)}</strong>
            {old && old[index]!.price_minor !== price_minor && (
              <span class="soft"> (now {shown(old[index]!.price_minor)})</span>
            )}
          </li>
        ))}
      </ul>
      <p class="soft">For a guest who books now, including tax.</p>
      {cheaper && (
        <p class="alert">
          A longer booking can cost less than a shorter one:{' '}
          {span({ ...room, start_at: new Date(cheaper.start), end_at: new Date(cheaper.end) })} costs less
          than the same booking with an earlier end.
        </p>
      )}
    </>
  );
}

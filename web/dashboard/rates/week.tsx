import type { Room } from '../../../db/entities/rooms.js';
import { DAY_MS } from '../../../domain/durations.js';
import {
  formatMinuteOfDay,
  isForAll,
  isWholeDay,
  rateWeek,
  weekRows,
  type WeekStretch,
} from '../../../domain/rates/week.js';
import type { TaxCode } from '../../../domain/rates/price.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { TONES } from '../../ui/tones.js';
import { enteredPrice } from '../shared/entered-price.js';
import { formatRateAmount } from './words.js';

interface Props {
  ctx: ApiContext;
  room: Room;
  taxCodes: TaxCode[];
  first: number;
  /** The rate whose price is not known yet. */
  draft?: string;
}

/** The rate's name and its price. */
function stretchLabel(
  { rate, isShut }: WeekStretch,
  { ctx, room, taxCodes, draft }: Props,
): [name: string, price: string | null] {
  const priced = enteredPrice(ctx, taxCodes, room);
  if (isShut) return ['Closed', null];
  if (!rate) return ['Hourly price', `${priced(room.price_per_hour_minor)} an hour`];
  if (rate.id === draft) return [rate.name, null];
  return [rate.name, rate.closed ? 'closed' : formatRateAmount(rate, priced)];
}

/** The class of a stretch: a colour for each rate, in their order. Names distinguish them reliably. */
function stretchClass({ rate, isShut }: WeekStretch, { room, draft }: Props): string {
  if (isShut || (rate?.closed && rate.id !== draft)) return 'shut';
  return rate ? `rate-${room.rates.filter(isForAll).indexOf(rate) % TONES.rate}` : 'plain';
}

function Stretch({ of, props }: { of: WeekStretch; props: Props }) {
  const [name, price] = stretchLabel(of, props);
  return (
    <>
      <strong>{name}</strong>
      {price && <small>{price}</small>}
    </>
  );
}

/**
 * Seven days of a room with the rate that applies to everyone at each time: a table, on phones a list per
 * day. Rates that apply only to some bookings are named below it.
 */
export function RateWeek(props: Props) {
  const { ctx, room, first } = props;
  const week = rateWeek(room, first);
  const { day: formatUtcDay } = createFormats(ctx, 'UTC');
  const days = week.map((_, n) => formatUtcDay(new Date((first + n) * DAY_MS)));
  const others = room.rates.filter((rate) => !isForAll(rate));
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Rates by time">
        <table class="whole rate-week">
          <thead>
            <tr>
              <th scope="col">From</th>
              {days.map((day) => (
                <th key={day} scope="col">
                  {day}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weekRows(week).map(({ from, days }) => (
              <tr key={from}>
                <th scope="row">{formatMinuteOfDay(from)}</th>
                {days.map(
                  (cell, n) =>
                    cell && (
                      <td key={n} rowSpan={cell.rows} class={stretchClass(cell.stretch, props)}>
                        <Stretch of={cell.stretch} props={props} />
                      </td>
                    ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div class="rate-days">
        {week.map((stretches, n) => (
          <section key={n}>
            <h3>{days[n]}</h3>
            <ul>
              {stretches.map((each) => (
                <li key={each.from} class={stretchClass(each, props)}>
                  <span>
                    {isWholeDay(each)
                      ? 'All day'
                      : `${formatMinuteOfDay(each.from)}–${formatMinuteOfDay(each.to)}`}
                  </span>{' '}
                  <Stretch of={each} props={props} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
      {others.length > 0 && (
        <p class="soft">
          Not shown, because they apply only to some bookings: {others.map(({ name }) => name).join(', ')}.
        </p>
      )}
    </>
  );
}

import { render } from 'preact-render-to-string';
import type { BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import type { ApiContext } from '../../../api/http/context.js';
import { findPlaces, type Axis, type Place, type Stretch } from './axis.js';
import { BookingBlock } from './booking-block.js';
import { formatDayMinute, type Column } from './columns.js';
import { PartLabel } from './part-label.js';
import { bookingAt, FreeStart } from './free-start.js';

export interface HeadedColumn extends Column {
  heading: string;
  /** The class of its room's colour. */
  tone: string;
  href: string;
}

export interface GridProps {
  columns: HeadedColumn[];
  axis: Axis;
  members: Map<string, BookingMember>;
  home: string;
  ctx: ApiContext;
  now: number;
  from: number;
  to: number;
}

/**
 * The places of a grid as attributes, and the styles for them: the pages' security policy allows no
 * styles of single elements.
 */
export class GridStyles {
  private readonly tops = new Set<number>();
  private readonly heights = new Set<number>();

  constructor(private readonly from: number) {}

  /** The attributes of an element at a place of the axis. */
  at({ top, minutes }: Place) {
    const height = Math.round(minutes * 100) / 100;
    const below = Math.round((top - this.from) * 100) / 100;
    this.tops.add(below);
    this.heights.add(height);
    return { 'data-top': below, 'data-minutes': height };
  }

  /** The styles of all places that were given out. */
  css(): string {
    const rules = (name: string, property: string, values: Set<number>): string =>
      [...values].map((n) => `[data-${name}="${n}"]{${property}:calc(var(--minute)*${n})}`).join('');
    return rules('top', 'top', this.tops) + rules('minutes', 'height', this.heights);
  }
}

/** Lets the page's script convert places to times: `[start, end, top, wall clock]` in minutes since 1970. */
const stretchesForScript = (stretches: Stretch[], from: number, midnight: number): string =>
  JSON.stringify(
    stretches.map(({ start, end, top, wall }) => [
      start / MINUTE_MS,
      end / MINUTE_MS,
      top - from,
      midnight / MINUTE_MS + wall,
    ]),
  );

/** The hours next to `days`, the HTML of each `DayColumn`: rooms or days side by side, to scale. */
export function Grid({ axis, from, to, places, days }: GridProps & { places: GridStyles; days: string }) {
  const hours = (
    <div class="hours" aria-hidden="true">
      <div class="day" {...places.at({ top: from, minutes: to - from })}>
        {axis.hours
          .filter(({ top }) => top >= from && top < to)
          .map(({ minute, top, again }) => (
            <span key={top} {...places.at({ top, minutes: 60 })}>
              {formatDayMinute(minute)}
              {again && <small> again</small>}
            </span>
          ))}
      </div>
    </div>
  );
  return (
    <div
      class="calendar"
      tabIndex={0}
      role="region"
      aria-label="Calendar"
      dangerouslySetInnerHTML={{ __html: render(hours) + days }}
    />
  );
}

export function DayColumn(props: GridProps & { places: GridStyles; column: HeadedColumn; index: number }) {
  const { column, index, axis, places, from, to, now, home, ctx, members } = props;
  const { room, day } = column;
  const stretches = axis.stretches[index]!;
  const at = (range: { start: number; end: number }): Place[] => findPlaces(stretches, range, { from, to });
  return (
    <section aria-label={column.heading} class={column.tone}>
      <h2>
        <a href={column.href} title={column.heading}>
          {column.heading}
        </a>
      </h2>
      <div
        class="day"
        {...places.at({ top: from, minutes: to - from })}
        data-room={room.id}
        data-name={column.heading}
        data-step={room.slot_minutes}
        data-stretches={stretchesForScript(stretches, from, column.midnight)}
      >
        {axis.gaps[index]!.flatMap(({ skipped, ...gap }) =>
          visible(gap, { from, to }).map((place) => (
            <div key={`gap ${gap.top}`} class="part gap" {...places.at(place)}>
              <span>{skipped ? 'Clocks go forward' : 'Only where clocks go back'}</span>
            </div>
          )),
        )}
        {column.parts
          .filter(({ kind }) => kind !== 'free')
          .flatMap((part) =>
            at(part).map((place) => (
              <div
                key={`${part.kind} ${place.top}`}
                class={`part ${part.kind}${place.minutes < 20 ? ' brief' : ''}`}
                {...places.at(place)}
              >
                <PartLabel ctx={ctx} part={part} room={room} home={home} />
              </div>
            )),
          )}
        {column.starts.map((start, nth) => {
          const next = column.starts[nth + 1]?.start ?? Infinity;
          const reach = { start: start.start, end: Math.min(next, start.end) };
          return at(reach)
            .slice(0, 1)
            .map((place) => (
              <FreeStart
                key={`free ${start.start}`}
                href={bookingAt(home, room, start)}
                heading={column.heading}
                start={start}
                zone={room.time_zone}
                place={places.at(place)}
              />
            ));
        })}
        {column.bookings.flatMap((booking) =>
          at({ start: booking.start_at.getTime(), end: booking.end_at.getTime() }).map((place, nth) => (
            <BookingBlock
              key={`${booking.id} ${booking.is_change} ${nth}`}
              ctx={ctx}
              booking={booking}
              beside={column.bookings}
              room={room}
              members={members}
              now={now}
              minutes={place.minutes}
              place={places.at(place)}
            />
          )),
        )}
        {now > day.start &&
          now < day.end &&
          at({ start: now, end: now + MINUTE_MS }).map((place) => (
            <div key="now" class="now" {...places.at(place)}>
              <span class="hidden">Now</span>
            </div>
          ))}
      </div>
    </section>
  );
}

function visible({ top, minutes }: Place, { from, to }: { from: number; to: number }): Place[] {
  const start = Math.max(top, from);
  const end = Math.min(top + minutes, to);
  return start < end ? [{ top: start, minutes: end - start }] : [];
}

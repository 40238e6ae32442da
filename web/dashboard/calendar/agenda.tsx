import { findPlaces } from './axis.js';
import { BookingLink } from './booking-block.js';
import type { GridProps, HeadedColumn } from './grid.js';
import { bookingAt } from './free-start.js';
import { PartLabel } from './part-label.js';
import { createFormats } from '../../ui/formats.js';
import type { Range } from '../../../domain/bookings/slots.js';

/** The entries of a room or a day as a list, for phones. */
export function AgendaColumn(props: GridProps & { column: HeadedColumn; index: number }) {
  const { column, index } = props;
  return (
    <section class={column.tone}>
      <h2>
        <a href={column.href}>{column.heading}</a>
      </h2>
      <ul class="plain card">
        {agendaRows(props, column, index).map(({ start, content, kind }) => (
          <li key={`${kind} ${start}`} class={kind}>
            {content}
          </li>
        ))}
      </ul>
    </section>
  );
}

function agendaRows(props: GridProps, column: HeadedColumn, index: number) {
  const { axis, from, to, ctx, home, members, now } = props;
  const { room } = column;
  const shown = axis.stretches[index]!.flatMap(({ start, end, top }) => {
    const at = (minute: number): number => start + (minute - top) * 60_000;
    const range = { start: Math.max(start, at(from)), end: Math.min(end, at(to)) };
    return range.start < range.end ? [range] : [];
  });
  const first = shown[0]?.start ?? 0;
  const last = shown.at(-1)?.end ?? 0;
  const isShown = (range: Range): boolean =>
    findPlaces(axis.stretches[index]!, range, { from, to }).length > 0;
  const { clocks } = createFormats(ctx);
  const parts = column.parts.filter(isShown).map((part) => {
    const visibleFrom = Math.max(part.start, first);
    const start_at = new Date(visibleFrom);
    const end_at = new Date(Math.min(part.end, last));
    const time = clocks({ start_at, end_at, time_zone: room.time_zone });
    const start = column.starts.find((each) => each.start >= visibleFrom && each.start < part.end);
    return {
      start: part.start,
      kind: part.kind as string,
      content:
        part.kind === 'free' ? (
          start ? (
            <a href={bookingAt(home, room, start)}>Free {time}</a>
          ) : (
            `Free ${time}`
          )
        ) : (
          <>
            {time} <PartLabel ctx={ctx} part={part} room={room} home={home} />
          </>
        ),
    };
  });
  const bookings = column.bookings
    .filter(({ start_at, end_at }) => isShown({ start: start_at.getTime(), end: end_at.getTime() }))
    .map((booking) => ({
      start: booking.start_at.getTime(),
      kind: 'bookings',
      content: <BookingLink ctx={ctx} booking={booking} members={members} now={now} />,
    }));
  return [...parts, ...bookings].toSorted((a, b) => a.start - b.start);
}

import type { Range } from '../../../domain/bookings/slots.js';
import { wallClock } from '../../../domain/time-zone.js';
import { DAY_MS, MINUTE_MS } from '../../../domain/durations.js';
import { toEnteredTimes } from '../shared/time-fields.js';
import { formatDayMinute, type Column } from './columns.js';

/**
 * The address of the form that books a time of a room. The exact times tell an hour that
 * clocks repeat from the first.
 */
export function bookingAt(home: string, room: Column['room'], { start, end }: Range): string {
  const times = { start_at: new Date(start), end_at: new Date(end), time_zone: room.time_zone };
  const query = { room_id: room.id, ...toEnteredTimes(times) };
  return `${home}/book?${new URLSearchParams(query)}`;
}

/** A free time that links to the form. `place`: its attributes in the grid. */
export function FreeStart(props: {
  href: string;
  heading: string;
  start: Range;
  zone: string;
  place: Record<string, number>;
}) {
  const { href, heading, start, zone, place } = props;
  const wall = wallClock(start.start, zone);
  const clock = formatDayMinute((((wall % DAY_MS) + DAY_MS) % DAY_MS) / MINUTE_MS);
  return (
    <a
      class="free"
      href={href}
      aria-label={`Book ${heading} at ${clock}`}
      data-start={start.start / MINUTE_MS}
      data-end={start.end / MINUTE_MS}
      {...place}
    >
      {clock}
    </a>
  );
}

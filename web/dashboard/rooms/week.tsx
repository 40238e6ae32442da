import { findRoomCalendars } from '../../../db/queries/bookings/availability.js';
import type { Room } from '../../../db/entities/rooms.js';
import { DAY_MINUTES, DAY_MS } from '../../../domain/durations.js';
import { openWindows, type BookableRoom, type Range } from '../../../domain/bookings/slots.js';
import { toInstant, wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';
import { Swatch } from '../../ui/swatch.js';

const DAYS_SHOWN = 7;
const HOURS_MARKED = [6, 12, 18];

/** Bookings and blackouts of a room in the next seven days. */
export interface RoomWeek {
  days: Range[];
  booked: Range[];
  blackouts: Range[];
}

/** The next seven days in a room's zone, with its bookings and blackouts. */
export async function readWeek({ db }: ApiDependencies, room: Room): Promise<RoomWeek> {
  const { time_zone: zone } = room;
  const today = Math.floor(wallClock(Date.now(), zone) / DAY_MS) * DAY_MS;
  const days = Array.from({ length: DAYS_SHOWN }, (_, index) => ({
    start: toInstant(today + index * DAY_MS, zone),
    end: toInstant(today + (index + 1) * DAY_MS, zone),
  }));
  const [calendar] = await findRoomCalendars(db.manager, {
    workspace_id: room.workspace_id,
    of: { room_id: room.id },
    from: new Date(days[0]!.start),
    to: new Date(days.at(-1)!.end),
  });
  const booked = [...calendar!.claims, ...calendar!.part_claims];
  return { days, booked, blackouts: calendar!.blackouts };
}

const within = (ranges: Range[], day: Range): Range[] =>
  ranges
    .map(({ start, end }) => ({ start: Math.max(start, day.start), end: Math.min(end, day.end) }))
    .filter(({ start, end }) => end > start);

/** Bars are drawn in minutes of a day, which has 23 or 25 hours when clocks change. */
function Bars({ ranges, day, kind }: { ranges: Range[]; day: Range; kind: string }) {
  const minute = (instant: number) => ((instant - day.start) / (day.end - day.start)) * DAY_MINUTES;
  return (
    <>
      {within(ranges, day).map(({ start, end }) => (
        <rect
          key={start}
          class={kind}
          x={minute(start)}
          y={kind === 'open' ? 0 : 4}
          width={minute(end) - minute(start)}
          height={kind === 'open' ? 24 : 16}
        />
      ))}
    </>
  );
}

/** A room's next seven days: when it is open, booked and blacked out, as bars and in words. */
export function Week(props: { ctx: ApiContext; room: BookableRoom; week: RoomWeek }) {
  const { ctx, room, week } = props;
  const formats = createFormats(ctx, room.time_zone);
  const clock = (instant: number) => formats.clock(new Date(instant));
  return (
    <div class="scroll">
      <table class="days">
        <tbody>
          {week.days.map((day) => {
            const open = within(openWindows(room, day), day);
            const spans = (ranges: Range[]): string =>
              ranges
                .map(({ start, end }) =>
                  start === day.start && end === day.end ? 'all day' : `${clock(start)}–${clock(end)}`,
                )
                .join(', ');
            const blackouts = spans(within(week.blackouts, day));
            const hours =
              blackouts === 'all day'
                ? 'blackout all day'
                : (spans(open) || 'closed') + (blackouts && `; blackout ${blackouts}`);
            return (
              <tr key={day.start}>
                <th scope="row">{formats.day(new Date(day.start))}</th>
                <td class="bars">
                  <svg class="week" viewBox="0 0 1440 24" preserveAspectRatio="none" aria-hidden="true">
                    <Bars ranges={open} day={day} kind="open" />
                    <Bars ranges={week.blackouts} day={day} kind="blackout" />
                    <Bars ranges={week.booked} day={day} kind="booked" />
                    {HOURS_MARKED.map((hour) => (
                      <line key={hour} x1={hour * 60} x2={hour * 60} y1={0} y2={24} />
                    ))}
                  </svg>
                </td>
                <td class="hours">{hours}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

const KINDS = [
  ['open', 'open'],
  ['closed', 'closed'],
  ['booked', 'booked, including the buffer'],
  ['blackout', 'blackout'],
] as const;

export function WeekLegend() {
  return (
    <p class="links legend soft">
      {KINDS.map(([kind, name]) => (
        <span key={kind}>
          <Swatch of={kind} /> {name}
        </span>
      ))}
    </p>
  );
}

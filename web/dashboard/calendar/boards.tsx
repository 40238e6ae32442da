import type { ComponentChildren } from 'preact';
import type { Room } from '../../../db/entities/rooms.js';
import { openWindows } from '../../../domain/bookings/slots.js';
import { can } from '../../../domain/policies.js';
import { createFormats } from '../../ui/formats.js';
import { pathIn } from '../shared/paths.js';
import { rangeOfDay } from './axis.js';
import type { Entry } from './board.js';
import { shownAs, Times } from './booking-block.js';
import { calendarPath, listDays, findMonth } from './period.js';
import type { Shown } from './shown.js';
import { roomTone } from './tones.js';

/** How much of a day is shown before `+3 more`. */
const IN_WEEK = 5;
const IN_MONTH = 3;

interface BoardProps {
  shown: Shown;
  rooms: Room[];
  days: Map<number, Entry[]>;
}

/** `10:00–11:00`, or what of it is on the day: `from 22:00`, `all day`, `until 02:00`. `short`: `10:00`. */
function describeTime(entry: Entry, { ctx }: Shown, short: boolean): ComponentChildren {
  const { clock } = createFormats(ctx, entry.time_zone);
  const { start_at, end_at, begun, goesOn } = entry;
  if (begun) return goesOn ? 'all day' : `until ${clock(end_at)}`;
  if (goesOn) return `from ${clock(start_at)}`;
  return short ? clock(start_at) : <Times ctx={ctx} of={entry} />;
}

/** `room`: its name, where that is not seen otherwise. */
function Block(props: { shown: Shown; entry: Entry; short: boolean; room?: string }) {
  const { shown, entry, short, room } = props;
  const { ctx, now, home, rooms } = shown;
  const time = describeTime(entry, shown, short);
  const whole = createFormats(ctx).span(entry);
  const where = room && <span class="room">{room}</span>;
  if ('blackout' in entry.of) {
    const { id, reason, of } = entry.of.blackout;
    const words = (
      <>
        <span aria-hidden="true">✕ </span>
        {time} <b>Blackout</b>
        {of ? ` of ${of.name}` : ''}
        {reason && `: ${reason}`}
        {where}
      </>
    );
    const path = `${home}/rooms/${of?.room_id ?? entry.room_id}/blackouts/${id}`;
    return can(ctx.state.membership!.role, 'write_blackouts') ? (
      <a class="part blackout" href={path} title={whole}>
        {words}
      </a>
    ) : (
      <span class="part blackout" title={whole}>
        {words}
      </span>
    );
  }
  const { booking } = entry.of;
  const [state, sign, word] = shownAs(booking, now);
  const booker = booking.booker ?? 'erased';
  return (
    <a
      class={`slot ${state} ${roomTone(rooms, entry.room_id)}`}
      href={pathIn(ctx, `/bookings/${booking.id}${booking.is_change ? '#pending-change' : ''}`)}
      title={[whole, room, booker, word].filter(Boolean).join(', ')}
      data-booking={booking.id}
    >
      <span aria-hidden="true">{sign} </span>
      <bdi>{time}</bdi> <b>{booker}</b>
      {word && <span class="hidden"> {word}</span>}
      {where}
    </a>
  );
}

function Blocks(props: {
  shown: Shown;
  entries: Entry[];
  most: number;
  href: string;
  name: string;
  short?: boolean;
  roomName?: (id: string) => string;
}) {
  const { shown, entries, most, href, name, short = false, roomName } = props;
  if (entries.length === 0) return null;
  const more = entries.length - most;
  return (
    <ul>
      {entries.slice(0, most).map((entry, nth) => (
        <li key={nth}>
          <Block {...{ shown, entry, short }} room={roomName?.(entry.room_id)} />
        </li>
      ))}
      {more > 0 && (
        <li>
          <a class="more" href={href} aria-label={`+${more} more on ${name}`}>
            +{more} more
          </a>
        </li>
      )}
    </ul>
  );
}

const isClosed = (room: Room, midnight: number): boolean =>
  openWindows(room, rangeOfDay({ midnight, time_zone: room.time_zone })).length === 0;

/** The head of a week of all rooms: a link to each day. */
export function WeekHead({ shown }: { shown: Shown }) {
  const { home, query, period, today, dayName } = shown;
  return (
    <thead>
      <tr>
        <th scope="col">
          <span class="hidden">Room</span>
        </th>
        {listDays(period).map((midnight) => (
          <th key={midnight} scope="col" class={midnight === today ? 'today' : undefined}>
            <a href={calendarPath(home, query, midnight, { view: 'day' })}>{dayName(midnight)}</a>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** A room's week. The days' names are for phones, where the row is a list. */
export function WeekRow({ shown, room, days }: Omit<BoardProps, 'rooms'> & { room: Room }) {
  const { home, query, period, today, rooms, dayName } = shown;
  return (
    <tr class={roomTone(rooms, room.id)}>
      <th scope="row">
        <a
          href={calendarPath(home, query, period.day, { view: 'week', room_id: room.id, page: 1 })}
          title={room.name}
        >
          {room.name}
        </a>
      </th>
      {listDays(period).map((midnight) => {
        const entries = days.get(midnight)!.filter(({ room_id }) => room_id === room.id);
        const href = calendarPath(home, query, midnight, { view: 'day' });
        return (
          <Cell
            key={midnight}
            today={midnight === today}
            closed={isClosed(room, midnight)}
            vacant={entries.length === 0}
          >
            {entries.length > 0 && (
              <a class="date" href={href}>
                {dayName(midnight)}
              </a>
            )}
            <Blocks {...{ shown, entries, href }} most={IN_WEEK} name={dayName(midnight)} />
          </Cell>
        );
      })}
    </tr>
  );
}

function Cell(props: {
  today: boolean;
  closed?: boolean;
  outside?: boolean;
  vacant: boolean;
  children: ComponentChildren;
}) {
  const { children, ...is } = props;
  const names = Object.entries(is).flatMap(([name, holds]) => (holds ? [name] : []));
  return <td class={names.join(' ') || undefined}>{children}</td>;
}

const WEEKDAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', timeZone: 'UTC' });

export function MonthHead({ shown: { period } }: { shown: Shown }) {
  return (
    <thead>
      <tr>
        {listDays({ ...period, days: 7 }).map((midnight) => (
          <th key={midnight} scope="col">
            {WEEKDAY.format(midnight)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The week of a month that begins at a midnight. A single room's closed days are marked. */
export function MonthRow({ shown, rooms, days, monday }: BoardProps & { monday: number }) {
  const { home, query, period, today, dayName } = shown;
  const month = findMonth(period.day);
  const only = query.room_id ? rooms[0] : undefined;
  const names = new Map(rooms.map(({ id, name }) => [id, name]));
  return (
    <tr>
      {listDays({ first: monday, days: 7 }).map((midnight) => {
        const entries = days.get(midnight)!;
        const href = calendarPath(home, query, midnight, { view: 'day' });
        return (
          <Cell
            key={midnight}
            today={midnight === today}
            outside={midnight < month.start || midnight >= month.end}
            closed={only && isClosed(only, midnight)}
            vacant={entries.length === 0}
          >
            <a class="date" href={href} aria-current={midnight === today ? 'date' : undefined}>
              <span class="number" aria-hidden="true">
                {new Date(midnight).getUTCDate()}
              </span>
              <span class="hidden only-narrow">{dayName(midnight)}</span>
            </a>
            <Blocks
              {...{ shown, entries, href }}
              most={IN_MONTH}
              name={dayName(midnight)}
              short
              roomName={only ? undefined : (id) => names.get(id)!}
            />
          </Cell>
        );
      })}
    </tr>
  );
}

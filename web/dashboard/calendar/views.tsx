import type { Room } from '../../../db/entities/rooms.js';
import { BOOKING_WORDS } from '../../../domain/bookings/state.js';
import { utcDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { sentenceCase } from '../../ui/formats.js';
import { SIGNS } from './booking-block.js';

export interface CalendarQuery {
  /** `YYYY-MM-DD`, in each room's zone; today if absent. */
  day?: string;
  room_id?: string;
  /** Which of the pages of rooms; the first if absent, the last if there are fewer. */
  page?: number;
  all?: 'yes' | '';
}

/** More rooms take too long to draw. */
export const ROOMS_SHOWN = 25;

interface ViewsProps {
  home: string;
  query: CalendarQuery;
  /** Midnights as if they were UTC: of the first day that is shown, and of today. */
  first: number;
  today: number;
  days: number;
  page: number;
  rooms: Pick<Room, 'id' | 'name'>[];
  /** Whether the member can change rooms, and whether they can close them. */
  setsRooms: boolean;
  closesRooms: boolean;
}

/** Links to other days and views, and the choice of a day and a room. */
export function CalendarViews(props: ViewsProps) {
  const { home, query, first, days, today, page, rooms, setsRooms, closesRooms } = props;
  const at = (midnight: number, changes: CalendarQuery = {}): string => {
    const { room_id, all } = query;
    const shown = { room_id, page: page > 1 ? page : '', all, ...changes };
    const set = Object.entries(shown).flatMap(([name, value]) => (value ? [[name, String(value)]] : []));
    return `${home}/calendar?${new URLSearchParams([['day', utcDay(midnight)], ...set])}`;
  };
  return (
    <div class="views">
      <div class="links">
        <a href={at(first - days * DAY_MS)}>← Earlier</a>
        <a href={at(today)} aria-current={first === today ? 'date' : undefined}>
          Today
        </a>
        <a href={at(first + days * DAY_MS)}>Later →</a>
        {query.room_id && <a href={at(first, { room_id: '' })}>All rooms</a>}
        {!query.room_id && <a href={`${home}/day?day=${utcDay(first)}`}>Day list</a>}
        {query.all === 'yes' ? (
          <a href={at(first, { all: '' })}>Usual hours</a>
        ) : (
          <a href={at(first, { all: 'yes' })}>All 24 hours</a>
        )}
        {query.room_id && closesRooms && (
          <a href={`${home}/rooms/${query.room_id}`}>
            {setsRooms ? 'Hours, price and blackouts' : 'Room and blackouts'}
          </a>
        )}
      </div>
      <form class="filter" action={`${home}/calendar`}>
        {query.all && <input type="hidden" name="all" value={query.all} />}
        {page > 1 && <input type="hidden" name="page" value={page} />}
        <label>
          <span>Day</span>
          <input type="date" name="day" required value={utcDay(first)} />
        </label>
        <label>
          <span>View</span>
          <select name="room_id">
            <option value="">All rooms, one day</option>
            {rooms.map(({ id, name }) => (
              <option key={id} value={id} selected={id === query.room_id}>
                {name}, a week
              </option>
            ))}
          </select>
        </label>
        <button class="quiet">Show</button>
      </form>
      {!query.room_id && rooms.length > ROOMS_SHOWN && (
        <RoomPages {...{ page, rooms }} to={(page) => at(first, { page })} />
      )}
    </div>
  );
}

/** Which of many rooms are shown, with links to the rooms before and after them. */
function RoomPages(props: { page: number; rooms: unknown[]; to: (page: number) => string }) {
  const { page, rooms, to } = props;
  const last = Math.min(page * ROOMS_SHOWN, rooms.length);
  return (
    <div class="links">
      {page > 1 && <a href={to(page - 1)}>← Previous rooms</a>}
      <span>
        Rooms {(page - 1) * ROOMS_SHOWN + 1}–{last} of {rooms.length}
      </span>
      {last < rooms.length && <a href={to(page + 1)}>Next rooms →</a>}
    </div>
  );
}

export function Key() {
  const kinds = [
    ['closed', 'Closed'],
    ['blackout', 'Blackout'],
    ['buffer', 'Buffer'],
    ['taken', 'Part or whole booked'],
    ['past', 'Past'],
    ['short', 'Too short'],
  ] as const;
  const bookings = ['confirmed', 'pending_payment', 'running', 'completed', 'no_show'] as const;
  return (
    <ul class="key">
      {bookings.map((state) => (
        <li key={state} class={`slot ${state}`}>
          {SIGNS[state]} {sentenceCase(BOOKING_WORDS[state])}
        </li>
      ))}
      {kinds.map(([kind, name]) => (
        <li key={kind} class={`part ${kind}`}>
          <span>{name}</span>
        </li>
      ))}
    </ul>
  );
}

import joi from 'joi';
import { listCalendarBookings, listPlacesOfChanges } from '../../../db/queries/bookings/booking.js';
import { listBlackoutsDuring } from '../../../db/queries/rooms/blackout.js';
import { findRoomCalendars } from '../../../db/queries/rooms/availability.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { utcDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import { instantOf, wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text, uuid } from '../../../api/http/fields.js';
import { Action } from '../shared/action.js';
import { Select } from '../shared/fields.js';
import { formatsOf } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { blackoutFields, blackoutForm, BlackoutInputs } from '../rooms/blackout-forms.js';
import { columnOf, shownMinutes } from './columns.js';
import { roomIn } from './room-in.js';
import { Agenda, Grid, type HeadedColumn } from './grid.js';

const DATE = /^(19[789]\d|20\d\d)-\d{2}-\d{2}$/;
const day = joi
  .string()
  .allow('')
  .custom((value: string) => (DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined));

export const calendarQuery = joi.object({ day, room_id: uuid.allow(''), all: joi.valid('yes', '') });

interface Query {
  /** `YYYY-MM-DD`, in each room's zone; today if absent. */
  day?: string;
  /** Shows a week of this room. */
  room_id?: string;
  all?: 'yes' | '';
}

const WEEK_DAYS = 7;

/** `GET /dashboard/:workspace/calendar`: a day over all rooms, or a week of one room; free time leads to a booking. */
export function showCalendar(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  return async (ctx) => {
    const membership = ctx.state.membership!;
    const { workspace_id, time_zone, role } = membership;
    const home = `/dashboard/${workspace_id}`;
    const query = (ctx.state.query ?? {}) as Query;
    const now = Date.now();
    const today = Math.floor(wallClock(now, time_zone) / DAY_MS) * DAY_MS;
    const first = query.day ? Date.parse(query.day) : today;
    const days = query.room_id ? WEEK_DAYS : 1;
    // A day more on both sides: rooms can be in other zones.
    const from = new Date(instantOf(first - DAY_MS, time_zone));
    const to = new Date(instantOf(first + (days + 1) * DAY_MS, time_zone));
    const of = query.room_id ? { room_id: query.room_id } : { tier: null };
    const calendars = await findRoomCalendars(manager, { workspace_id, of, from, to });
    const room_ids = calendars.map(({ room }) => room.id);
    const [own, ofChanges, blackouts] = await Promise.all([
      listCalendarBookings(manager, { workspace_id, room_ids, from, to }),
      listPlacesOfChanges(manager, { workspace_id, room_ids, from, to }),
      listBlackoutsDuring(manager, { room_ids, from, to }),
    ]);
    const bookings = [...own.map((booking) => ({ ...booking, is_change: false })), ...ofChanges];
    const members = await findBookingMembers(manager, workspace_id, bookings);
    const dayName = (midnight: number): string => formatsOf(ctx, 'UTC').day(new Date(midnight));
    const columns = calendars.flatMap((calendar): HeadedColumn[] =>
      Array.from({ length: days }, (_, index) => {
        const midnight = first + index * DAY_MS;
        const column = columnOf(calendar, midnight, bookings, blackouts, now);
        return query.room_id
          ? { ...column, heading: dayName(midnight), href: `${home}/calendar?day=${utcDay(midnight)}` }
          : {
              ...column,
              heading: calendar.room.name,
              href: `${home}/calendar?day=${utcDay(first)}&room_id=${calendar.room.id}`,
            };
      }),
    );
    const shown = { ctx, columns, members, home, ...shownMinutes(columns, query.all === 'yes') };
    const name = query.room_id ? (calendars[0]?.room.name ?? 'Room not found') : dayName(first);
    const zones = [...new Set(calendars.map(({ room }) => room.time_zone))];
    showSection(ctx, {
      title: query.room_id ? `${name}, ${dayName(first)} – ${dayName(first + 6 * DAY_MS)}` : name,
      at: '/calendar',
      children: (
        <>
          <Steps {...{ home, query, first, days, today }} setsRooms={can(role, 'write_rooms')} />
          {columns.length === 0 ? (
            <p>
              No rooms yet. <a href={`${home}/rooms`}>Create one</a>
            </p>
          ) : (
            <>
              <p class="soft">
                {zones.length === 1 ? `Times are in ${zones[0]}.` : 'Times are in each room’s time zone.'}{' '}
                Select a free time to book it.
              </p>
              <Grid {...shown} />
              <Agenda {...shown} />
              {can(role, 'write_rooms') && <BlackoutForm ctx={ctx} columns={columns} first={first} />}
            </>
          )}
        </>
      ),
    });
  };
}

/** Links to other days. */
function Steps(props: {
  home: string;
  query: Query;
  first: number;
  days: number;
  today: number;
  /** Whether the member can change rooms. */
  setsRooms: boolean;
}) {
  const { home, query, first, days, today, setsRooms } = props;
  const at = (midnight: number, changes: Query = {}): string =>
    `${home}/calendar?${new URLSearchParams({
      day: utcDay(midnight),
      ...(query.room_id && { room_id: query.room_id }),
      ...(query.all && { all: query.all }),
      ...changes,
    })}`;
  return (
    <div class="links">
      <a href={at(first - days * DAY_MS)}>← Earlier</a>
      <a href={at(today)}>Today</a>
      <a href={at(first + days * DAY_MS)}>Later →</a>
      {query.all !== 'yes' && <a href={at(first, { all: 'yes' })}>All 24 hours</a>}
      {query.room_id && (
        <>
          <a href={`${home}/calendar?day=${utcDay(first)}`}>All rooms</a>
          {setsRooms && <a href={`${home}/rooms/${query.room_id}`}>Hours, price and blackouts</a>}
        </>
      )}
    </div>
  );
}

export const calendarBlackoutFields = { ...blackoutFields, room_id: text(64).required() };

/** Closes the room that is selected. */
export const calendarBlackoutForm = blackoutForm(
  (ctx, deps, { room_id = '' }) => roomIn(ctx, deps, room_id),
  (ctx) => `/calendar?day=${String(ctx.state.submitted!.start_at).slice(0, 10)}`,
);

function BlackoutForm({ ctx, columns, first }: { ctx: ApiContext; columns: HeadedColumn[]; first: number }) {
  const rooms = new Map(columns.map(({ room }) => [room.id, room.name]));
  return (
    <Action
      ctx={ctx}
      action={`/dashboard/${ctx.state.membership!.workspace_id}/calendar/blackout`}
      summary="Add a blackout"
      button="Add blackout"
    >
      <Select name="room_id" label="Room" options={[...rooms]} chosen={[columns[0]!.room.id]} />
      <BlackoutInputs day={utcDay(first)} />
    </Action>
  );
}

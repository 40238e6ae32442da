import joi from 'joi';
import { render } from 'preact-render-to-string';
import { listCalendarBookings, listSlotsOfChanges } from '../../../db/queries/bookings/booking.js';
import { listBlackoutsDuring } from '../../../db/queries/blackouts/blackout.js';
import { findRoomCalendars } from '../../../db/queries/bookings/availability.js';
import type { Room } from '../../../db/entities/rooms.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { utcDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import { toInstant, wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { uuid } from '../../../api/http/fields.js';
import { takeTurns } from '../../../api/http/turns.js';
import { createFormats } from '../../ui/formats.js';
import { addBlackout } from '../blackouts/new-blackout.js';
import { hidden } from '../forms/inputs.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { Select } from '../shared/fields.js';
import { buildAxis } from './axis.js';
import { buildDayColumn, shownMinutes } from './columns.js';
import { roomIn } from './room-in.js';
import { CALENDAR_SCRIPT } from './script.js';
import { Desk, DeskHelp } from './desk.js';
import { AgendaColumn } from './agenda.js';
import { DayColumn, Grid, GridStyles, type HeadedColumn } from './grid.js';
import { Key, ROOMS_SHOWN, CalendarViews, type CalendarQuery } from './views.js';

const DATE = /^(19[789]\d|20\d\d)-\d{2}-\d{2}$/;
const day = joi
  .string()
  .allow('')
  .custom((value: string) => (DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined));

const WEEK_DAYS = 7;
const MAX_ROOMS = 500;

interface CalendarPage {
  title: string;
  css: string;
  /** The grid and the list of its bookings, drawn. */
  grid: string;
  agenda: string;
  home: string;
  self: string;
  query: CalendarQuery;
  columns: HeadedColumn[];
  /** The first day: midnight in UTC milliseconds. */
  first: number;
  days: number;
  today: number;
  page: number;
  rooms: Room[];
  zones: string[];
}

type ClosedPage = Pick<CalendarPage, 'rooms' | 'columns' | 'first'>;

const listAll = ({ caller: { workspace_id } }: PageRequest, { db }: ApiDependencies): Promise<Room[]> =>
  listRooms(db.manager, { workspace_id, include_archived: false, limit: MAX_ROOMS });

const closeRoom = addBlackout<ClosedPage>({
  path: '/blackout',
  more: {
    room_id: {
      ...hidden<ClosedPage>(() => undefined),
      // It is an id of the path.
      read: () => ({}),
      Show: ({ shown: { data } }) => (
        <Select
          name="room_id"
          label="Room"
          options={[...new Map(data.columns.map(({ room }) => [room.id, room.name]))]}
          chosen={[data.columns[0]!.room.id]}
        />
      ),
    },
  },
  day: ({ first }) => utcDay(first),
  findRoom: ({ ctx }, deps) => roomIn(ctx, deps, (ctx.state.body as { room_id: string }).room_id),
  entry: ({ rooms }, submitted) => rooms.find(({ id }) => id === submitted?.room_id) ?? {},
  params: ({ room_id }) => ({ id: room_id as string }),
  to: (_, { submitted }) => `/calendar?day=${String(submitted.start_at).slice(0, 10)}`,
});

/** Reads and draws the calendar, yielding to other requests between days. */
async function readCalendar(request: PageRequest, deps: ApiDependencies): Promise<CalendarPage> {
  const { ctx, membership } = request;
  const { manager } = deps.db;
  const { workspace_id, time_zone } = membership;
  const home = `/dashboard/${workspace_id}`;
  const query = request.query as unknown as CalendarQuery;
  const now = Date.now();
  const today = Math.floor(wallClock(now, time_zone) / DAY_MS) * DAY_MS;
  const first = query.day ? Date.parse(query.day) : today;
  const days = query.room_id ? WEEK_DAYS : 1;
  // A day more on both sides: rooms can be in other zones.
  const from = new Date(toInstant(first - DAY_MS, time_zone));
  const to = new Date(toInstant(first + (days + 1) * DAY_MS, time_zone));
  const rooms = await listAll(request, deps);
  const page = Math.min(query.page ?? 1, Math.max(1, Math.ceil(rooms.length / ROOMS_SHOWN)));
  const onPage = rooms.slice((page - 1) * ROOMS_SHOWN, page * ROOMS_SHOWN).map(({ id }) => id);
  const of = query.room_id ? { room_id: query.room_id } : { room_ids: onPage };
  const calendars = await findRoomCalendars(manager, { workspace_id, of, from, to });
  const room_ids = calendars.map(({ room }) => room.id);
  const [own, ofChanges, blackouts] = await Promise.all([
    listCalendarBookings(manager, { workspace_id, room_ids, from, to }),
    listSlotsOfChanges(manager, { workspace_id, room_ids, from, to }),
    listBlackoutsDuring(manager, { room_ids, from, to }),
  ]);
  const bookings = [...own.map((booking) => ({ ...booking, is_change: false })), ...ofChanges];
  const members = await findBookingMembers(manager, workspace_id, bookings);
  const dayName = (midnight: number): string => createFormats(ctx, 'UTC').day(new Date(midnight));
  const turn = takeTurns();
  const columns: HeadedColumn[] = [];
  for (const calendar of calendars)
    for (let index = 0; index < days; index++) {
      const midnight = first + index * DAY_MS;
      const column = buildDayColumn(calendar, midnight, bookings, blackouts, now);
      columns.push(
        query.room_id
          ? { ...column, heading: dayName(midnight), href: `${home}/calendar?day=${utcDay(midnight)}` }
          : {
              ...column,
              heading: calendar.room.name,
              href: `${home}/calendar?day=${utcDay(first)}&room_id=${calendar.room.id}`,
            },
      );
      await turn();
    }
  const axis = buildAxis(columns.map(({ midnight, room }) => ({ midnight, time_zone: room.time_zone })));
  const shown = {
    ctx,
    columns,
    axis,
    members,
    home,
    now,
    ...shownMinutes(axis, columns, query.all === 'yes'),
  };
  const inAddress = {
    day: utcDay(first),
    room_id: query.room_id ?? '',
    page: String(page),
    all: query.all ?? '',
  };
  const places = new GridStyles(shown.from);
  // Rendered first, because the page's styles depend on the slots that it draws.
  const drawn = await inTurns(columns, (column, index) => [
    render(<DayColumn {...shown} {...{ places, column, index }} />),
    render(<AgendaColumn {...shown} {...{ column, index }} />),
  ]);
  const grid = render(<Grid {...shown} places={places} days={drawn.map(([day]) => day!).join('')} />);
  const name = query.room_id ? (calendars[0]?.room.name ?? 'Room not found') : dayName(first);
  return {
    title: query.room_id ? `${name}, ${dayName(first)} – ${dayName(first + 6 * DAY_MS)}` : name,
    css: `.calendar{--shown:${shown.to - shown.from}}${places.css()}`,
    grid,
    agenda: drawn.map(([, list]) => list!).join(''),
    home,
    self: `${home}/calendar?${new URLSearchParams(inAddress)}`,
    query,
    columns,
    first,
    days,
    today,
    page,
    rooms,
    zones: [...new Set(calendars.map(({ room }) => room.time_zone))],
  };
}

/** Draws one item at a time and yields to other requests in between. */
async function inTurns<T, R>(items: T[], draw: (item: T, index: number) => R): Promise<R[]> {
  const turn = takeTurns();
  const drawn: R[] = [];
  for (const [index, item] of items.entries()) {
    drawn.push(draw(item, index));
    await turn();
  }
  return drawn;
}

function Calendar(props: PageProps<CalendarPage>) {
  const { role, time_zone } = props.ctx.state.membership!;
  const { grid, agenda, home, self, columns, zones, ...view } = props.data;
  return (
    <>
      <Desk />
      <CalendarViews
        {...{ ...view, home }}
        setsRooms={can(role, 'write_rooms')}
        closesRooms={can(role, 'write_blackouts')}
      />
      {columns.length === 0 ? (
        <p>No rooms yet. {can(role, 'write_rooms') && <a href={`${home}/rooms`}>Create one</a>}</p>
      ) : (
        <>
          {(zones.length > 1 || zones[0] !== time_zone) && (
            <p class="soft">
              {zones.length > 1 ? 'Times are in each room’s time zone.' : `Times are in ${zones[0]}.`}
            </p>
          )}
          <Key />
          <DeskHelp />
          <div id="grid" data-home={home} data-self={self} dangerouslySetInnerHTML={{ __html: grid }} />
          <div class="agenda" dangerouslySetInnerHTML={{ __html: agenda }} />
          {can(role, 'write_blackouts') && <closeRoom.Closed page={props} />}
        </>
      )}
    </>
  );
}

/** A day of all rooms, 25 at a time, or a week of one room. */
export const calendarPage = page<CalendarPage, ClosedPage>({
  path: '/calendar',
  capability: 'all_bookings',
  query: joi.object({
    day,
    room_id: uuid.allow(''),
    page: joi.number().integer().min(1),
    all: joi.valid('yes', ''),
  }),
  title: ({ title }) => title,
  assets: ({ css, columns }) => ({ css, script: columns.length > 0 ? CALENDAR_SCRIPT : undefined }),
  find: async (request, deps) => ({ rooms: await listAll(request, deps), columns: [], first: 0 }),
  load: readCalendar,
  view: Calendar,
  forms: [closeRoom],
});

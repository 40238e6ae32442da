import joi from 'joi';
import type { Room } from '../../../db/entities/rooms.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { utcDay } from '../../../domain/cycle.js';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import { toInstant, wallClock } from '../../../domain/time-zone.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { uuid } from '../../../api/http/fields.js';
import { createFormats } from '../../ui/formats.js';
import { addBlackout } from '../blackouts/new-blackout.js';
import { hidden } from '../forms/inputs.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { PrimaryLink } from '../shared/action.js';
import { Select } from '../shared/fields.js';
import { Desk } from './desk.js';
import { drawBoard } from './draw-board.js';
import { drawGrid } from './draw-grid.js';
import { calendarPath, periodName, findPeriod, chosenView, VIEWS, type CalendarQuery } from './period.js';
import { roomIn } from './room-in.js';
import { BOARD_SCRIPT, GRID_SCRIPT } from './script.js';
import type { Drawn, Shown } from './shown.js';
import { ROOMS_SHOWN, Toolbar } from './toolbar.js';

const DATE = /^(19[789]\d|20\d\d)-\d{2}-\d{2}$/;
const day = joi
  .string()
  .allow('')
  .custom((value: string) => (DATE.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined));

interface CalendarPage {
  title: string;
  shown: Shown;
  drawn: Drawn & { agenda?: string };
  /** Which of the pages of rooms. */
  page: number;
}

interface ClosedPage {
  rooms: Room[];
  /** The rooms to choose from. */
  shownRooms: { id: string; name: string }[];
  /** The default day: midnight in UTC milliseconds. */
  day: number;
}

const listAll = ({ caller: { workspace_id } }: PageRequest, { db }: ApiDependencies): Promise<Room[]> =>
  listRooms(db.manager, { workspace_id, include_archived: false });

const closeRoom = addBlackout<ClosedPage>({
  path: '/blackout',
  more: {
    room_id: {
      ...hidden<ClosedPage>(() => undefined),
      // The room's id is in the path, not in the body.
      read: () => ({}),
      Show: ({ shown: { data } }) => (
        <Select
          name="room_id"
          label="Room"
          options={data.shownRooms.map(({ id, name }) => [id, name] as const)}
          chosen={[data.shownRooms[0]!.id]}
        />
      ),
    },
  },
  day: (data) => utcDay(data.day),
  findRoom: ({ ctx }, deps) => roomIn(ctx, deps, (ctx.state.body as { room_id: string }).room_id),
  entry: ({ rooms }, submitted) => rooms.find(({ id }) => id === submitted?.room_id) ?? {},
  params: ({ room_id }) => ({ id: room_id as string }),
  to: (_, { submitted }) => `/calendar?day=${String(submitted.start_at).slice(0, 10)}`,
});

/** Reads and draws the calendar, yielding to other requests between its parts. */
async function readCalendar(request: PageRequest, deps: ApiDependencies): Promise<CalendarPage & ClosedPage> {
  const { ctx, membership } = request;
  const { workspace_id, time_zone } = membership;
  const query = request.query as unknown as CalendarQuery;
  const now = Date.now();
  const today = Math.floor(wallClock(now, time_zone) / DAY_MS) * DAY_MS;
  const period = findPeriod(chosenView(query), query.day ? Date.parse(query.day) : today);
  const { first, days } = period;
  const rooms = await listAll(request, deps);
  const number = Math.min(query.page ?? 1, Math.max(1, Math.ceil(rooms.length / ROOMS_SHOWN)));
  const onPage = rooms.slice((number - 1) * ROOMS_SHOWN, number * ROOMS_SHOWN).map(({ id }) => id);
  const dayName = (midnight: number): string => createFormats(ctx, 'UTC').day(new Date(midnight));
  const shown: Shown = {
    ctx,
    home: `/dashboard/${workspace_id}`,
    query: { ...query, view: period.view, page: number },
    period,
    today,
    now,
    rooms,
    room_ids: query.room_id ? [query.room_id] : onPage,
    dayName,
    from: new Date(toInstant(first - 2 * DAY_MS, time_zone)),
    to: new Date(toInstant(first + (days + 2) * DAY_MS, time_zone)),
  };
  const isGrid = period.view === 'day' || (period.view === 'week' && query.room_id);
  const drawn = await (isGrid ? drawGrid : drawBoard)(shown, deps);
  const name = periodName(period, dayName);
  const only = query.room_id && (drawn.shownRooms[0]?.name ?? 'Room not found');
  const { shownRooms } = drawn;
  const title = only ? `${only}, ${name}` : name;
  return { title, shown, drawn, page: number, rooms, shownRooms, day: period.day };
}

/** The form to book, at the next hour of today or in the morning of the day that is shown. */
function bookingPath({ home, query, period, today, now, ctx }: Shown): string {
  const isToday = today >= period.first && today < period.first + period.days * DAY_MS;
  const wall = wallClock(now, ctx.state.membership!.time_zone);
  const start = isToday
    ? Math.ceil(wall / HOUR_MS) * HOUR_MS
    : Math.max(period.day, period.first) + 10 * HOUR_MS;
  const local = (at: number): string => new Date(at).toISOString().slice(0, 16);
  const room = query.room_id && { room_id: query.room_id };
  const asked = { ...room, start_at: local(start), end_at: local(start + HOUR_MS) };
  return `${home}/book?${new URLSearchParams(asked)}`;
}

function Zones({ of, own }: { of: string[]; own: string }) {
  if (of.length === 1 && of[0] === own) return null;
  return (
    <p class="soft">{of.length > 1 ? 'Times are in each room’s time zone.' : `Times are in ${of[0]}.`}</p>
  );
}

function Calendar(props: PageProps<CalendarPage & ClosedPage>) {
  const { state } = props.ctx;
  const { role, time_zone } = state.membership!;
  const { shown, drawn, page: number } = props.data;
  state.showsTimes = drawn.shownRooms.length > 0;
  const { home, query, period } = shown;
  const setsRooms = can(role, 'write_rooms');
  const closesRooms = can(role, 'write_blackouts');
  const self = calendarPath(home, query, period.day);
  return (
    <>
      <Desk />
      <Toolbar {...shown} {...{ page: number, setsRooms, closesRooms }} only={drawn.shownRooms[0]?.name}>
        {closesRooms && drawn.shownRooms.length > 0 && <closeRoom.Drawer page={props} quiet />}
      </Toolbar>
      {drawn.shownRooms.length === 0 ? (
        <div class="empty">
          <p>Bookings of your rooms are here, such as a hall from 10:00 to 12:00.</p>
          {setsRooms && (
            <div class="actions">
              <a class="button" href={`${home}/rooms`}>
                Create a room
              </a>
            </div>
          )}
        </div>
      ) : (
        <>
          <Zones of={drawn.zones} own={time_zone} />
          {drawn.agenda === undefined ? (
            <div
              id="board"
              class="scroll"
              tabIndex={0}
              role="region"
              aria-label="Calendar"
              data-self={self}
              dangerouslySetInnerHTML={{ __html: drawn.html }}
            />
          ) : (
            <>
              <div
                id="grid"
                data-home={home}
                data-self={self}
                dangerouslySetInnerHTML={{ __html: drawn.html }}
              />
              <div class="agenda" dangerouslySetInnerHTML={{ __html: drawn.agenda }} />
            </>
          )}
        </>
      )}
    </>
  );
}

/** A day, a week or a month of all rooms, 25 at a time, or of one room. */
export const calendarPage = page<CalendarPage & ClosedPage, ClosedPage>({
  path: '/calendar',
  capability: 'all_bookings',
  query: joi.object({
    view: joi.valid(...VIEWS, ''),
    day,
    room_id: uuid.allow(''),
    page: joi.number().integer().min(1),
    all: joi.valid('yes', ''),
  }),
  title: ({ title }) => title,
  primary: ({ data: { shown, drawn } }) =>
    shown.rooms.length > 0 && <PrimaryLink href={drawn.firstFree ?? bookingPath(shown)}>Book</PrimaryLink>,
  assets: ({ drawn: { css, agenda, shownRooms } }) => ({
    css,
    script: shownRooms.length === 0 ? undefined : agenda === undefined ? BOARD_SCRIPT : GRID_SCRIPT,
  }),
  find: async (request, deps) => ({ rooms: await listAll(request, deps), shownRooms: [], day: 0 }),
  load: readCalendar,
  view: Calendar,
  forms: [closeRoom],
});

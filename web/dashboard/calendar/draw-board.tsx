import { render } from 'preact-render-to-string';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { listBlackoutsDuring } from '../../../db/queries/blackouts/blackout.js';
import { listCalendarBlocks } from '../../../db/queries/bookings/calendar-blocks.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import type { Room } from '../../../db/entities/rooms.js';
import { entriesByDay } from './board.js';
import { MonthHead, MonthRow, WeekHead, WeekRow } from './boards.js';
import { listDays } from './period.js';
import { inTurns, type Drawn, type Shown } from './shown.js';

async function findShownRooms(
  { ctx, query, rooms, room_ids }: Shown,
  { db }: ApiDependencies,
): Promise<Room[]> {
  const listed = rooms.filter(({ id }) => room_ids.includes(id));
  if (listed.length > 0 || !query.room_id) return listed;
  // An archived room is not in the list.
  const room = await findRoom(db.manager, ctx.state.membership!.workspace_id, query.room_id);
  return room ? [room] : [];
}

/** A week of rooms, or a month, as a table. */
export async function drawBoard(shown: Shown, deps: ApiDependencies): Promise<Drawn> {
  const { ctx, period, from, to } = shown;
  const { manager } = deps.db;
  const { workspace_id } = ctx.state.membership!;
  const rooms = await findShownRooms(shown, deps);
  const filter = { workspace_id, room_ids: rooms.map(({ id }) => id), from, to };
  const [bookings, blackouts] = await Promise.all([
    listCalendarBlocks(manager, filter),
    listBlackoutsDuring(manager, filter),
  ]);
  const zones = new Map(rooms.map(({ id, time_zone }) => [id, time_zone]));
  const days = entriesByDay({ bookings, blackouts }, zones, period);
  const isWeek = period.view === 'week';
  const rows = isWeek
    ? await inTurns(rooms, (room) => render(<WeekRow {...{ shown, room, days }} />))
    : await inTurns(
        listDays(period).filter((_, index) => index % 7 === 0),
        (monday) => render(<MonthRow {...{ shown, rooms, days, monday }} />),
      );
  const head = render(isWeek ? <WeekHead shown={shown} /> : <MonthHead shown={shown} />);
  return {
    html: `<table class="board ${period.view}">${head}<tbody>${rows.join('')}</tbody></table>`,
    css: '',
    shownRooms: rooms,
    zones: [...new Set(zones.values())],
  };
}

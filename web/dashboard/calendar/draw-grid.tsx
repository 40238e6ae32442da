import { render } from 'preact-render-to-string';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { takeTurns } from '../../../api/http/turns.js';
import { listBlackoutsDuring } from '../../../db/queries/blackouts/blackout.js';
import { findRoomCalendars } from '../../../db/queries/bookings/availability.js';
import { listCalendarBookings, listSlotsOfChanges } from '../../../db/queries/bookings/booking.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { AgendaColumn } from './agenda.js';
import { buildAxis } from './axis.js';
import { buildDayColumn, shownMinutes } from './columns.js';
import { bookingAt } from './free-start.js';
import { DayColumn, Grid, GridStyles, type HeadedColumn } from './grid.js';
import { calendarPath, listDays } from './period.js';
import { inTurns, type Drawn, type Shown } from './shown.js';
import { roomTone } from './tones.js';

/** A day of rooms side by side, or a week of one room, to scale; and the same as a list for phones. */
export async function drawGrid(shown: Shown, deps: ApiDependencies): Promise<Drawn & { agenda: string }> {
  const { ctx, home, query, period, now, rooms, room_ids, dayName, from, to } = shown;
  const { manager } = deps.db;
  const { workspace_id } = ctx.state.membership!;
  const calendars = await findRoomCalendars(manager, { workspace_id, of: { room_ids }, from, to });
  const filter = { workspace_id, room_ids: calendars.map(({ room }) => room.id), from, to };
  const [own, ofChanges, blackouts] = await Promise.all([
    listCalendarBookings(manager, filter),
    listSlotsOfChanges(manager, filter),
    listBlackoutsDuring(manager, filter),
  ]);
  const bookings = [...own.map((booking) => ({ ...booking, is_change: false })), ...ofChanges];
  const members = await findBookingMembers(manager, workspace_id, bookings);
  const turn = takeTurns();
  const columns: HeadedColumn[] = [];
  for (const calendar of calendars) {
    const { id, name } = calendar.room;
    const tone = roomTone(rooms, id);
    for (const midnight of listDays(period)) {
      const column = buildDayColumn(calendar, midnight, bookings, blackouts, now);
      const ofDay = {
        heading: dayName(midnight),
        href: calendarPath(home, query, midnight, { view: 'day' }),
      };
      const roomWeek = { view: 'week', room_id: id, page: 1 } as const;
      const ofRoom = { heading: name, href: calendarPath(home, query, period.day, roomWeek) };
      columns.push({ ...column, tone, ...(period.view === 'week' ? ofDay : ofRoom) });
      await turn();
    }
  }
  const free = query.room_id ? columns.find(({ starts }) => starts.length > 0) : undefined;
  const axis = buildAxis(columns.map(({ midnight, room }) => ({ midnight, time_zone: room.time_zone })));
  const hours = shownMinutes(axis, columns, query.all === 'yes');
  const drawn = { ctx, columns, axis, members, home, now, ...hours };
  const places = new GridStyles(hours.from);
  // Rendered first, because the page's styles depend on the slots that it draws.
  const parts = await inTurns(columns, (column, index) => [
    render(<DayColumn {...drawn} {...{ places, column, index }} />),
    render(<AgendaColumn {...drawn} {...{ column, index }} />),
  ]);
  // A week fits beside the navigation; rooms need space for their names.
  const width = period.view === 'week' ? ';--column:4.75rem' : '';
  return {
    html: render(<Grid {...drawn} places={places} days={parts.map(([day]) => day!).join('')} />),
    agenda: parts.map(([, list]) => list!).join(''),
    css: `.calendar{--shown:${hours.to - hours.from}${width}}${places.css()}`,
    shownRooms: calendars.map(({ room }) => room),
    firstFree: free && bookingAt(home, free.room, free.starts[0]!),
    zones: [...new Set(calendars.map(({ room }) => room.time_zone))],
  };
}

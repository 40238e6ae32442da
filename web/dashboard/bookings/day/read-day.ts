import joi from 'joi';
import { isUuid } from '../../../../db/ids.js';
import { listCalendarBookings, type BookingRow } from '../../../../db/queries/bookings/booking.js';
import { listCompaniesOfBookings } from '../../../../db/queries/companies/company.js';
import { listRooms } from '../../../../db/queries/rooms/room.js';
import { findBookingMembers, type BookingMember } from '../../../../db/queries/workspaces/dashboard.js';
import { dayIn, type Day } from '../../../../domain/cycle.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { PageRequest } from '../../forms/page.js';
import { listFields, readRange } from '../../shared/list.js';

/** The query of pages about a day: by default today in the workspace's zone, and all rooms. */
export const dayQuery = joi.object({
  day: listFields.from,
  room_id: joi
    .string()
    .allow('')
    .custom((value: string) => (isUuid(value) ? value : '')),
});

export interface DayQuery {
  day?: string;
  room_id?: string;
}

/** The day and the room of a query, and when the day begins and ends in the workspace's zone. */
export function chosenDay({ query, membership: { time_zone } }: Pick<PageRequest, 'query' | 'membership'>): {
  day: Day;
  room_id: string | undefined;
  from: Date;
  to: Date;
} {
  const { day = '', room_id } = query as DayQuery;
  const chosen = day || dayIn(time_zone, new Date());
  const { from, to } = readRange({ from: chosen, to: chosen }, time_zone);
  return { day: chosen, room_id: room_id || undefined, from: from!, to: to! };
}

/** The path of a page about a day, with its query. */
export const dayPath = (path: string, { day, room_id }: DayQuery): string =>
  `${path}?${new URLSearchParams({ ...(day && { day }), ...(room_id && { room_id }) })}`;

export interface DayOfRooms {
  day: Day;
  from: Date;
  room_id: string | undefined;
  /** By name, with archived ones. */
  rooms: { id: string; name: string }[];
  /** In the calendar of the day: by start, with those that began before, and holds. */
  bookings: BookingRow[];
  members: Map<string, BookingMember>;
  /** The names of the companies of bookings, by id. */
  companies: Map<string, string>;
}

/** Reads a day of all rooms, or of one. */
export async function readDay(request: PageRequest, { db }: ApiDependencies): Promise<DayOfRooms> {
  const { workspace_id } = request.caller;
  const { day, room_id, from, to } = chosenDay(request);
  const all = await listRooms(db.manager, { workspace_id, include_archived: true });
  const rooms = all.toSorted((one, other) => one.name.localeCompare(other.name));
  const room_ids = room_id ? [room_id] : rooms.map(({ id }) => id);
  const bookings = await listCalendarBookings(db.manager, { workspace_id, room_ids, from, to });
  const [members, companies] = await Promise.all([
    findBookingMembers(db.manager, workspace_id, bookings),
    listCompaniesOfBookings(db.manager, workspace_id, bookings),
  ]);
  return { day, from, room_id, rooms, bookings, members, companies };
}

/** The organisation of a booking: the company that a guest entered, or that of the member; null without. */
export const findCompanyName = (
  { guest_billing, company_id }: BookingRow,
  companies: DayOfRooms['companies'],
): string | null => guest_billing?.company ?? (company_id && companies.get(company_id)) ?? null;

import joi from 'joi';
import { renderSVG } from 'uqr';
import { findBookingPage } from '../../../../db/queries/booking-page/booking-page.js';
import { listOfferedRooms } from '../../../../db/queries/booking-page/offered-room.js';
import { findRoomCalendars } from '../../../../db/queries/bookings/availability.js';
import { listCalendarBookings, type BookingRow } from '../../../../db/queries/bookings/booking.js';
import { listBlackoutsDuring } from '../../../../db/queries/blackouts/blackout.js';
import { listCompaniesOfBookings } from '../../../../db/queries/companies/company.js';
import { listRooms } from '../../../../db/queries/rooms/room.js';
import { findBookingMembers } from '../../../../db/queries/workspaces/dashboard.js';
import { dayAfter, dayBefore, type Day } from '../../../../domain/cycle.js';
import { DAY_MS } from '../../../../domain/durations.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import { createFormats, otherZone } from '../../../ui/formats.js';
import { buildDayColumn, type Column, type PartKind } from '../../calendar/columns.js';
import { page, type PageProps, type PageRequest } from '../../forms/page.js';
import { toBooker } from '../../shared/booking-table.js';
import { addressWith, Filter } from '../../shared/list.js';
import { PrintButton } from '../../shared/print.js';
import { Periods } from '../../shared/segments.js';
import { chosenDay, findCompanyName, dayQuery, type DayQuery } from './read-day.js';
import { DayViews } from './views.js';

const RESERVED = 'Reserved';

interface SignQuery extends DayQuery {
  names?: 'on' | '';
}

/** A time of a room's day as its sign shows it, in UTC milliseconds. */
interface SignLine {
  start: number;
  end: number;
  text: string;
  kind: 'booked' | 'free' | 'closed';
}

interface Sign {
  room: { id: string; name: string; time_zone: string };
  lines: SignLine[];
  /** The URL at which the room can be booked; null if public guests cannot book it. */
  url: string | null;
}

interface SignsPage {
  day: Day;
  from: Date;
  room_id: string | undefined;
  rooms: { id: string; name: string }[];
  signs: Sign[];
}

/**
 * The text of a line that may hang on a door: the company's name, otherwise only that the room is reserved.
 * Names of people are shown only on request.
 */
const createSignText =
  (facts: {
    members: Awaited<ReturnType<typeof findBookingMembers>>;
    companies: Map<string, string>;
    names: boolean;
  }) =>
  (booking: BookingRow): string => {
    const { members, companies, names } = facts;
    if (booking.status === 'pending_payment') return RESERVED;
    const who = names ? (toBooker(booking, members).name ?? null) : null;
    return [findCompanyName(booking, companies), who].filter(Boolean).join(', ') || RESERVED;
  };

const PARTS: Partial<Record<PartKind, Pick<SignLine, 'text' | 'kind'>>> = {
  free: { text: 'Free', kind: 'free' },
  blackout: { text: 'Closed', kind: 'closed' },
  rate: { text: 'Closed', kind: 'closed' },
  taken: { text: RESERVED, kind: 'booked' },
};

/** The lines of a sign: bookings, free times and closures, cut to the day. */
function listLines({ day, bookings, parts }: Column, say: (booking: BookingRow) => string): SignLine[] {
  const booked = bookings.map((booking) => ({
    start: Math.max(booking.start_at.getTime(), day.start),
    end: Math.min(booking.end_at.getTime(), day.end),
    text: say(booking),
    kind: 'booked' as const,
  }));
  const others = parts.flatMap(({ kind, start, end }) => {
    const part = PARTS[kind];
    return part ? [{ start, end, ...part }] : [];
  });
  return [...booked, ...others].toSorted((one, other) => one.start - other.start);
}

/** Where public guests can book each room, by id; only those that they can. */
async function findRoomPages(
  { db, publicUrl }: ApiDependencies,
  workspaceId: string,
): Promise<Map<string, string>> {
  const bookingPage = await findBookingPage(db.manager, workspaceId);
  if (!bookingPage?.enabled) return new Map();
  const offered = await listOfferedRooms(db.manager, bookingPage);
  return new Map(offered.map(({ id }) => [id, `${publicUrl}/book/${bookingPage.slug}/rooms/${id}`]));
}

async function readSigns(request: PageRequest, deps: ApiDependencies): Promise<SignsPage> {
  const { workspace_id } = request.caller;
  const { manager } = deps.db;
  const { day, room_id, from } = chosenDay(request);
  const { names } = request.query as SignQuery;
  request.ctx.state.query = { ...(request.query as SignQuery), day };
  const rooms = await listRooms(manager, { workspace_id, include_archived: false });
  const shown = rooms.filter(({ id }) => !room_id || id === room_id);
  // A day more on both sides: rooms can be in other zones.
  const midnight = Date.parse(day);
  const around = { from: new Date(midnight - DAY_MS), to: new Date(midnight + 2 * DAY_MS) };
  const room_ids = shown.map(({ id }) => id);
  const [calendars, bookings, blackouts, pages] = await Promise.all([
    findRoomCalendars(manager, { workspace_id, of: { room_ids }, ...around }),
    listCalendarBookings(manager, { workspace_id, room_ids, ...around }),
    listBlackoutsDuring(manager, { room_ids, ...around }),
    findRoomPages(deps, workspace_id),
  ]);
  const [members, companies] = await Promise.all([
    findBookingMembers(manager, workspace_id, bookings),
    listCompaniesOfBookings(manager, workspace_id, bookings),
  ]);
  const say = createSignText({ members, companies, names: names === 'on' });
  const all = bookings.map((booking) => ({ ...booking, is_change: false }));
  const signs = calendars.map((calendar) => {
    // As at the beginning of the day: the sign hangs all day, so times that have passed are shown too.
    const column = buildDayColumn(
      calendar,
      midnight,
      all,
      blackouts,
      Math.min(Date.now(), around.from.getTime()),
    );
    const { room } = calendar;
    return { room, lines: listLines(column, say), url: pages.get(room.id) ?? null };
  });
  return {
    day,
    from,
    room_id,
    rooms,
    signs: signs.toSorted((one, other) => one.room.name.localeCompare(other.room.name)),
  };
}

/** A line that starts and ends at the same time of day covers the whole day. */
const formatTimes = (start: string, end: string): string => (start === end ? 'All day' : `${start}–${end}`);

function OneSign({ ctx, sign, day }: { ctx: PageProps<SignsPage>['ctx']; sign: Sign; day: Day }) {
  const { room, lines, url } = sign;
  const formats = createFormats(ctx, room.time_zone);
  const { workspace_name } = ctx.state.membership!;
  return (
    <section class="sign">
      <div class="head">
        <h2>{room.name}</h2>
        <p>
          {createFormats(ctx, 'UTC').day(day)}
          {otherZone(ctx, room.time_zone)}
        </p>
      </div>
      <ul>
        {lines.length === 0 && <li class="closed">Closed</li>}
        {lines.map(({ start, end, text, kind }) => (
          <li key={`${kind} ${start}`} class={kind}>
            <time>{formatTimes(formats.clock(new Date(start)), formats.clock(new Date(end)))}</time>{' '}
            <span>{text}</span>
          </li>
        ))}
      </ul>
      <div class="foot">
        <span>{workspace_name}</span>
        {url && (
          <a href={url}>
            <span>Book this room</span>
            <span
              class="qr"
              role="img"
              aria-label={`QR code of ${url}`}
              dangerouslySetInnerHTML={{ __html: renderSVG(url, { border: 2 }) }}
            />
          </a>
        )}
      </div>
    </section>
  );
}

function DoorSigns({ ctx, data }: PageProps<SignsPage>) {
  const { day, room_id, rooms, signs } = data;
  const { names } = ctx.state.query as SignQuery;
  return (
    <>
      <div class="toolbar">
        <Periods
          of="day"
          previous={addressWith(ctx, { day: dayBefore(day) })}
          today={addressWith(ctx, { day: undefined })}
          next={addressWith(ctx, { day: dayAfter(day) })}
        />
        <DayViews ctx={ctx} day={day} room_id={room_id} />
        <a class="button quiet" href={addressWith(ctx, { names: names ? undefined : 'on' })}>
          {names ? 'Hide names of people' : 'Show names of people'}
        </a>
      </div>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'day', label: 'Day', type: 'date' },
          { name: 'room_id', label: 'Room', options: rooms.map(({ id, name }) => [id, name] as const) },
        ]}
        keep={{ names }}
      />
      <p class="links">
        <PrintButton />
      </p>
      {signs.length === 0 && <p class="soft">No rooms.</p>}
      {signs.map((sign) => (
        <OneSign key={sign.room.id} ctx={ctx} sign={sign} day={day} />
      ))}
    </>
  );
}

/** A page of paper for the door of each room, or of one (docs/rules/bookings.md#door-signs). */
export const doorSignsPage = page<SignsPage>({
  path: '/door-signs',
  at: '/day',
  capability: 'all_bookings',
  query: dayQuery.keys({ names: joi.valid('on', '') }),
  title: ({ from }, ctx) => `Door signs, ${createFormats(ctx).day(from)}`,
  assets: () => ({ css: '@page{size:A4 landscape;margin:12mm}' }),
  load: readSigns,
  view: DoorSigns,
});

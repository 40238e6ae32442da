import { isUuid } from '../../../../db/ids.js';
import joi from 'joi';
import { listRooms } from '../../../../db/queries/rooms/room.js';
import { findBookingPage } from '../../../../db/queries/booking-page/booking-page.js';
import type { BookingRow } from '../../../../db/queries/bookings/booking.js';
import { dayIn } from '../../../../domain/cycle.js';
import { formatExtra, formatExtras } from '../../../../domain/extras/extras.js';
import { presentExtras } from '../../../../domain/bookings/booking-presenter.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import type { Reply } from '../../../../api/http/operation.js';
import { readPreparations } from '../../../../api/resources/bookings/preparations/operations.js';
import { createFormats, otherZone } from '../../../ui/formats.js';
import { answerColumns } from '../../exports/answers.js';
import { asFile, cellTime, csvReply } from '../../exports/stream.js';
import { page, type PageProps, type PageRequest } from '../../forms/page.js';
import { pathIn } from '../../shared/paths.js';
import { ExportButton, Filter, listFields, readRange } from '../../shared/list.js';
import type { Section } from '../../shared/section.js';

const MAX_ROOMS = 500;

const query = joi.object({
  day: listFields.from,
  room_id: joi
    .string()
    .allow('')
    .custom((value: string) => (isUuid(value) ? value : '')),
});

interface Query {
  day?: string;
  room_id?: string;
}

/** The day of the query, by default today, and its bookings. */
async function readDay(
  ctx: ApiContext,
  deps: ApiDependencies,
): Promise<{ day: string; from: Date; rows: BookingRow[] }> {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const { day = '', room_id } = ctx.state.query as Query;
  const chosen = day || dayIn(time_zone, new Date());
  const { from, to } = readRange({ from: chosen, to: chosen }, time_zone);
  const filter = { workspace_id, from: from!, to: to!, room_id: room_id || undefined };
  return { day: chosen, from: from!, rows: await readPreparations(deps, filter) };
}

/** How many of each extra are needed, in the order in which they are needed first. */
function sumExtras(rows: BookingRow[]): { name: string; quantity: number }[] {
  const totals = new Map<string, { name: string; quantity: number }>();
  for (const { extra_id, name, quantity } of rows.flatMap(presentExtras)) {
    const total = totals.get(extra_id) ?? { name, quantity: 0 };
    totals.set(extra_id, { ...total, quantity: total.quantity + quantity });
  }
  return [...totals.values()];
}

function RoomTable({ ctx, rows }: { ctx: ApiContext; rows: BookingRow[] }) {
  const { clocks } = createFormats(ctx);
  return (
    <div class="scroll">
      <table class="preparations">
        <thead>
          <tr>
            <th>Time</th>
            <th>Booking</th>
            <th>To prepare</th>
            <th>Notes</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((booking) => (
            <tr key={booking.id}>
              <td>
                <a href={pathIn(ctx, `/bookings/${booking.id}`)}>{clocks(booking)}</a>
              </td>
              <td>
                <code>{booking.reference}</code>
                <small>{booking.attendees === 1 ? '1 person' : `${booking.attendees} people`}</small>
              </td>
              <td>
                {presentExtras(booking).map((extra) => (
                  <div key={extra.extra_id}>{formatExtra(extra)}</div>
                ))}
              </td>
              <td class="lines">{booking.notes}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface DayPage {
  from: Date;
  rows: BookingRow[];
  rooms: { id: string; name: string }[];
}

function Preparations({ ctx, data: { from, rows, rooms } }: PageProps<DayPage>) {
  const byRoom = new Map<string, BookingRow[]>();
  for (const row of rows) byRoom.set(row.room_id, [...(byRoom.get(row.room_id) ?? []), row]);
  const totals = sumExtras(rows);
  return (
    <>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'day', label: 'Day', type: 'date' },
          { name: 'room_id', label: 'Room', options: rooms.map(({ id, name }) => [id, name] as const) },
        ]}
      />
      {rows.length === 0 && <p class="soft">No confirmed bookings start on this day.</p>}
      {rows.length > 0 && (
        <p>
          {createFormats(ctx).day(from)}.{totals.length > 0 && ` Total: ${formatExtras(totals)}`}
        </p>
      )}
      {[...byRoom].map(([room_id, bookings]) => (
        <section key={room_id}>
          <h2>
            {bookings[0]!.room_name}
            {otherZone(ctx, bookings[0]!.time_zone)}
          </h2>
          <RoomTable ctx={ctx} rows={bookings} />
        </section>
      ))}
      <p class="links">
        <ExportButton ctx={ctx} path="/preparations.csv">
          Export CSV
        </ExportButton>
      </p>
    </>
  );
}

/**
 * `GET /dashboard/:workspace/preparations.csv`: the same with a row for each extra, and
 * what guests have answered.
 */
async function exportPreparations({ ctx }: PageRequest, deps: ApiDependencies): Promise<Reply> {
  const { day, rows } = await readDay(ctx, deps);
  const bookingPage = await findBookingPage(deps.db.manager, ctx.state.membership!.workspace_id);
  const given = new Map(rows.flatMap(({ answers }) => answers ?? []).map((answer) => [answer.id, answer]));
  const answers = answerColumns(
    [
      'Room',
      "Start (room's time)",
      'End',
      'Time zone',
      'Reference',
      'Attendees',
      'Extra',
      'Quantity',
      'Notes',
    ],
    bookingPage?.questions ?? [],
    [...given.values()],
  );
  return csvReply<BookingRow>(ctx, `preparations-${day}`, {
    columns: answers.columns,
    read: async (after) => (after ? [] : rows),
    async cells(bookings) {
      return bookings.flatMap((booking) => {
        const { room_name, time_zone: zone, reference, attendees, notes } = booking;
        const shared = [room_name, cellTime(booking.start_at, zone), cellTime(booking.end_at, zone), zone];
        const extras = presentExtras(booking);
        const cells = extras.length > 0 ? extras : [{ name: null, quantity: null }];
        return cells.map(({ name, quantity }) => [
          ...shared,
          reference,
          attendees,
          name,
          quantity,
          notes,
          ...answers.cells(booking.answers),
        ]);
      });
    },
  });
}

/** What to prepare on a day, by room and time (docs/rules/extras.md#preparations), also as CSV. */
export const preparations: Section = [
  page({
    path: '/preparations',
    capability: 'all_bookings',
    query,
    title: 'Preparations',
    async load({ ctx, caller: { workspace_id } }, deps): Promise<DayPage> {
      const { day, from, rows } = await readDay(ctx, deps);
      // The filter shows the day that is meant without one.
      ctx.state.query = { ...(ctx.state.query as Query), day };
      const rooms = await listRooms(deps.db.manager, {
        workspace_id,
        include_archived: true,
        limit: MAX_ROOMS,
      });
      return { from, rows, rooms };
    },
    view: Preparations,
  }),
  {
    path: '/preparations.csv',
    capability: 'all_bookings',
    query: asFile(query),
    file: exportPreparations,
  },
];

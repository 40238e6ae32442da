import type { BookingRow } from '../../../../db/queries/bookings/booking.js';
import { presentExtras } from '../../../../domain/bookings/booking-presenter.js';
import { dayAfter, dayBefore } from '../../../../domain/cycle.js';
import { formatExtra, formatExtras } from '../../../../domain/extras/extras.js';
import { groupBy } from '../../../../domain/group-by.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { createFormats, otherZone, sentenceCase } from '../../../ui/formats.js';
import { page, type PageProps } from '../../forms/page.js';
import { BookingStateBadge, toBooker } from '../../shared/booking-table.js';
import { ExportButton, Filter, Table } from '../../shared/list.js';
import { pathIn } from '../../shared/paths.js';
import { PrintButton } from '../../shared/print.js';
import { Periods } from '../../shared/segments.js';
import { DayViews } from './views.js';
import { describeSettlement } from '../timeline-event.js';
import { findCompanyName, dayPath, dayQuery, readDay, type DayOfRooms, type DayQuery } from './read-day.js';

/** How many of each extra the bookings need, ordered by when each is first needed. */
function sumExtras(bookings: BookingRow[]): { name: string; quantity: number }[] {
  const byExtra = groupBy(bookings.flatMap(presentExtras), ({ extra_id }) => extra_id);
  return [...byExtra.values()].map((of) => ({
    name: of[0]!.name,
    quantity: of.reduce((sum, { quantity }) => sum + quantity, 0),
  }));
}

/** What a guest answered, without the questions that were left out. */
const listAnswers = ({ answers }: BookingRow): string[] =>
  (answers ?? []).map(({ label, value }) => `${label}: ${value === true ? 'Yes' : value}`);

function RoomList(props: { ctx: ApiContext; data: DayOfRooms; bookings: BookingRow[] }) {
  const { ctx, bookings } = props;
  const { members, companies } = props.data;
  const { clocks } = createFormats(ctx);
  return (
    <Table
      rows={bookings}
      empty=""
      columns={[
        {
          name: 'Time',
          show: (booking) => (
            <>
              <a class="time" href={pathIn(ctx, `/bookings/${booking.id}`)}>
                {clocks(booking)}
              </a>
              <small>
                <code>{booking.reference}</code>
              </small>
            </>
          ),
        },
        {
          name: 'Booked by',
          show(booking) {
            const who = toBooker(booking, members);
            const company = findCompanyName(booking, companies);
            return (
              <>
                {who.name ?? 'erased'}
                {company && <small>{company}</small>}
                {who.email && <small>{who.email}</small>}
                <small>{booking.attendees === 1 ? '1 person' : `${booking.attendees} people`}</small>
              </>
            );
          },
        },
        {
          name: 'Extras',
          show: (booking) =>
            presentExtras(booking).map((extra) => <div key={extra.extra_id}>{formatExtra(extra)}</div>),
        },
        {
          name: 'Notes',
          show: (booking) => (
            <>
              {booking.notes && <div class="lines">{booking.notes}</div>}
              {listAnswers(booking).map((answer) => (
                <div key={answer} class="lines">
                  {answer}
                </div>
              ))}
            </>
          ),
        },
        {
          name: 'Payment',
          show: (booking) =>
            booking.status === 'pending_payment' ? (
              <BookingStateBadge of={booking} />
            ) : (
              <>
                {sentenceCase(describeSettlement(booking))}
                {booking.no_show_at && <small>No-show</small>}
              </>
            ),
        },
      ]}
    />
  );
}

function DayToolbar({ ctx, data: { day, room_id } }: { ctx: ApiContext; data: DayOfRooms }) {
  const at = (path: string, to: DayQuery): string => pathIn(ctx, dayPath(path, to));
  return (
    <div class="toolbar">
      <Periods
        of="day"
        previous={at('/day', { day: dayBefore(day), room_id })}
        today={at('/day', { room_id })}
        next={at('/day', { day: dayAfter(day), room_id })}
      />
      <DayViews ctx={ctx} day={day} room_id={room_id} />
      <a class="button quiet" href={at('/day/message', { day, room_id })}>
        Message bookers
      </a>
    </div>
  );
}

function DayList({ ctx, data }: PageProps<DayOfRooms>) {
  const { rooms, bookings, from } = data;
  const byRoom = groupBy(bookings, ({ room_id }) => room_id);
  const starting = bookings.filter(
    ({ status, start_at }) => status !== 'pending_payment' && start_at >= from,
  );
  const totals = sumExtras(starting);
  return (
    <>
      <p class="paper-head">{ctx.state.membership!.workspace_name}</p>
      <DayToolbar ctx={ctx} data={data} />
      <Filter
        ctx={ctx}
        fields={[
          { name: 'day', label: 'Day', type: 'date' },
          { name: 'room_id', label: 'Room', options: rooms.map(({ id, name }) => [id, name] as const) },
        ]}
      />
      {bookings.length === 0 && <p class="soft">No bookings on this day.</p>}
      {totals.length > 0 && <p>To prepare: {formatExtras(totals)}</p>}
      {rooms.map(({ id, name }) => {
        const here = byRoom.get(id);
        return (
          here && (
            <section key={id} class="of-room">
              <h2>
                {name}
                {otherZone(ctx, here[0]!.time_zone)}
              </h2>
              <RoomList ctx={ctx} data={data} bookings={here} />
            </section>
          )
        );
      })}
      <p class="links">
        <PrintButton />
        <ExportButton ctx={ctx} path="/preparations.csv">
          Export CSV
        </ExportButton>
      </p>
    </>
  );
}

/** The bookings of a day by room and time, for the desk and on paper (docs/rules/bookings.md#day-list). */
export const dayListPage = page<DayOfRooms>({
  path: '/day',
  capability: 'all_bookings',
  query: dayQuery,
  title: ({ from }, ctx) => `Day list, ${createFormats(ctx).day(from)}`,
  assets: () => ({ css: '@page{size:A4;margin:14mm}' }),
  async load(request, deps) {
    const data = await readDay(request, deps);
    // Without a day in the query, the filter shows today.
    request.ctx.state.query = { ...(request.query as DayQuery), day: data.day };
    return data;
  },
  view: DayList,
});

import joi from 'joi';
import { isUuid } from '../../../db/ids.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { WEEKDAYS } from '../../../domain/bookings/slots.js';
import { dayBefore, dayAfter, dayIn, daysBetween, startOfDay, type Day } from '../../../domain/cycle.js';
import { groupBy } from '../../../domain/group-by.js';
import { MAX_REPORT_DAYS } from '../../../domain/reports/usage.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import type { Reply } from '../../../api/http/operation.js';
import type { Infer } from '../../../api/http/typed.js';
import { getUsage, type usageReport } from '../../../api/resources/reports/operations.js';
import { HeatMap } from '../../ui/chart-heat-map.js';
import { createFormats, sentenceCase } from '../../ui/formats.js';
import { csvReply } from '../exports/stream.js';
import { page, run, type PageProps, type PageRequest } from '../forms/page.js';
import { listFields } from '../shared/list.js';
import { pathIn } from '../shared/paths.js';
import { assets, CsvLink, ReportTable, reportTabs } from './report.js';

const DEFAULT_DAYS = 28;
/** From Monday on. */
const DAYS_SHOWN = [...WEEKDAYS.slice(1), WEEKDAYS[0]];
const HOURS = [...Array(24).keys()];

export const usageQuery = joi.object({
  from: listFields.from,
  to: listFields.to,
  room_id: joi
    .string()
    .allow('')
    .custom((value: string) => (isUuid(value) ? value : undefined)),
});

type Report = Infer<typeof usageReport>;
type Room = Report['rooms'][number];
type Usage = Omit<Room['hours'][number], 'weekday' | 'hour'>;

/** The days in the address, both inclusive; by default the last four weeks, and at most a year. */
function readDays({ query, membership }: PageRequest): { from: Day; to: Day } {
  const to = query.to || dayBefore(dayIn(membership.time_zone, new Date()));
  const wanted = query.from || dayAfter(to, 1 - DEFAULT_DAYS);
  const from = wanted > to ? to : wanted;
  return { from: daysBetween(from, to) < MAX_REPORT_DAYS ? from : dayAfter(to, 1 - MAX_REPORT_DAYS), to };
}

/** The usage on the days in the address, of one room or all. */
function read(request: PageRequest, deps: ApiDependencies): Promise<Report> {
  const { time_zone } = request.membership;
  const { from, to } = readDays(request);
  const query = {
    from: startOfDay(from, time_zone),
    to: startOfDay(dayAfter(to), time_zone),
    room_id: request.query.room_id || undefined,
  };
  return run(getUsage, { query }, request, deps);
}

/** Minutes as hours, with at most one decimal. */
const formatHours = (minutes: number): string | null =>
  minutes === 0 ? null : new Intl.NumberFormat('en-GB', { maximumFractionDigits: 1 }).format(minutes / 60);

const share = ({ open_minutes, booked_minutes }: { open_minutes: number; booked_minutes: number }) =>
  open_minutes === 0 ? null : booked_minutes / open_minutes;

const formatShare = (value: number | null): string => (value === null ? '' : `${Math.round(value * 100)}%`);

/** Adds up usages; net by currency. */
function sumUsage(of: Usage[]): Usage {
  const net = new Map<string, number>();
  for (const { currency, amount_minor } of of.flatMap((usage) => usage.net))
    net.set(currency, (net.get(currency) ?? 0) + amount_minor);
  const sum = (field: 'open_minutes' | 'booked_minutes' | 'paid_minutes'): number =>
    of.reduce((total, usage) => total + usage[field], 0);
  return {
    open_minutes: sum('open_minutes'),
    booked_minutes: sum('booked_minutes'),
    paid_minutes: sum('paid_minutes'),
    net: [...net].map(([currency, amount_minor]) => ({ currency, amount_minor })),
  };
}

/** The share of open time that was booked in each hour of the week, of all rooms: by weekday and hour. */
function toWeek(rooms: Room[]): (number | null)[][] {
  const byHour = groupBy(
    rooms.flatMap(({ hours }) => hours),
    ({ weekday, hour }) => `${weekday} ${hour}`,
  );
  return DAYS_SHOWN.map((day) => HOURS.map((hour) => share(sumUsage(byHour.get(`${day} ${hour}`) ?? []))));
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;

function WeekTable({ week }: { week: (number | null)[][] }) {
  const shown = HOURS.filter((hour) => week.some((day) => day[hour] !== null));
  return (
    <div class="scroll" data-scrolls tabIndex={0} role="region" aria-label="By hour">
      <table class="whole week" aria-label="Booked share of open time by hour and weekday">
        <thead>
          <tr>
            <th scope="col">Hour</th>
            {DAYS_SHOWN.map((day) => (
              <th key={day} scope="col">
                {sentenceCase(day!)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((hour) => (
            <tr key={hour}>
              <th scope="row">{clock(hour)}</th>
              {week.map((day, index) => (
                <td key={index}>{formatShare(day[hour]!) || '–'}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface UsagePage {
  days: { from: Day; to: Day };
  report: Report;
  rooms: { id: string; name: string }[];
}

function UsageFilter({ ctx, days, rooms }: { ctx: ApiContext } & Pick<UsagePage, 'days' | 'rooms'>) {
  const { room_id } = ctx.state.query as { room_id?: string };
  return (
    <form class="filter">
      {(['from', 'to'] as const).map((name) => (
        <div key={name}>
          <label>
            <span>{sentenceCase(name)}</span>
            <input type="date" name={name} required value={days[name]} />
          </label>
        </div>
      ))}
      <div>
        <label>
          <span>Room</span>
          <select name="room_id">
            <option value="">all</option>
            {rooms.map(({ id, name }) => (
              <option key={id} value={id} selected={id === room_id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      <button>Show</button>
    </form>
  );
}

function Usages({ ctx, data: { days, report, rooms } }: PageProps<UsagePage>) {
  const { money } = createFormats(ctx);
  const week = toWeek(report.rooms);
  const isUsed = week.some((day) => day.some((value) => value !== null));
  ctx.state.showsTimes = isUsed;
  return (
    <>
      <UsageFilter ctx={ctx} days={days} rooms={rooms} />
      <CsvLink ctx={ctx} path="/reports/usage.csv" />
      {report.rooms.length === 0 && <p class="soft">No rooms.</p>}
      {report.rooms.length > 0 && (
        <ReportTable<Usage>
          label="Usage of rooms"
          first="Room"
          rows={report.rooms.map((used) => ({
            key: used.room.id,
            name: <a href={pathIn(ctx, `/rooms/${used.room.id}`)}>{used.room.name}</a>,
            row: used,
          }))}
          columns={[
            { name: 'Open hours', show: ({ open_minutes }) => formatHours(open_minutes) },
            { name: 'Booked hours', show: ({ booked_minutes }) => formatHours(booked_minutes) },
            { name: 'Paid hours', show: ({ paid_minutes }) => formatHours(paid_minutes) },
            { name: 'Booked', show: (usage) => formatShare(share(usage)) || null },
            { name: 'Net', show: ({ net }) => net.map(money).join(', ') || null },
          ]}
          total={report.rooms.length > 1 ? sumUsage(report.rooms) : undefined}
        />
      )}
      {isUsed && (
        <>
          <h2>By hour</h2>
          <HeatMap
            title="Booked share of open time by weekday and hour"
            rows={DAYS_SHOWN.map((day, index) => ({ label: sentenceCase(day!), cells: week[index]! }))}
            columns={HOURS.map(clock)}
            every={4}
            max={1}
          />
          <WeekTable week={week} />
        </>
      )}
    </>
  );
}

export const usagePage = page({
  path: '/reports/usage',
  at: '/reports',
  capability: 'read_billing',
  query: usageQuery,
  title: 'Usage',
  tabs: reportTabs,
  assets,
  async load(request, deps): Promise<UsagePage> {
    const { workspace_id } = request.membership;
    const [report, rooms] = await Promise.all([
      read(request, deps),
      listRooms(deps.db.manager, { workspace_id, include_archived: false }),
    ]);
    return { days: readDays(request), report, rooms };
  },
  view: Usages,
});

/** `GET /dashboard/:workspace/reports/usage.csv`: a row for each room, hour of the week and currency. */
export async function exportUsage(request: PageRequest, deps: ApiDependencies): Promise<Reply> {
  const { rooms } = await read(request, deps);
  return csvReply<Room>(request.ctx, 'usage', {
    columns: [
      'Room',
      'Time zone',
      'Weekday',
      'Hour',
      'Open minutes',
      'Booked minutes',
      'Paid minutes',
      'Currency',
      'Net',
    ],
    // A room has up to 168 lines for each currency.
    pageSize: 5,
    read: async (after, limit) => {
      const start = after ? rooms.indexOf(after) + 1 : 0;
      return rooms.slice(start, start + limit);
    },
    cells: async (page) =>
      page.flatMap(({ room, time_zone, hours }) =>
        hours.flatMap(({ net, ...hour }) =>
          (net.length > 0 ? net : [null]).map((money) => [
            room.name,
            time_zone,
            sentenceCase(hour.weekday),
            hour.hour,
            hour.open_minutes,
            hour.booked_minutes,
            hour.paid_minutes,
            money?.currency,
            money,
          ]),
        ),
      ),
  });
}

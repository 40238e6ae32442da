import joi from 'joi';
import { listBookings, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { findBookingListFacts } from '../../../db/queries/workspaces/dashboard.js';
import {
  BOOKING_OUTCOMES,
  BOOKING_WORDS,
  withOutcome,
  type BookingOutcome,
} from '../../../domain/bookings/state.js';
import { dayAfter, dayIn } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { isBookingId } from '../../../api/resources/bookings/booking.js';
import { searchText, uuid } from '../../../api/http/fields.js';
import { sentenceCase } from '../../ui/formats.js';
import { Legend } from '../shared/legend.js';
import {
  ExportButton,
  choiceFilter,
  DAYS,
  Filter,
  listFields,
  readPage,
  Pager,
  readRange,
  type ListQuery,
} from '../shared/list.js';
import { Elsewhere, page, type PageProps, type PageRequest } from '../forms/page.js';
import { BookARoom } from './book-a-room.js';
import { bookingPage } from './booking.js';
import { changePage } from './change-form.js';
import { summaryPage } from './summary.js';
import { BookingTable } from '../shared/booking-table.js';

const OUTCOME_OPTIONS = BOOKING_OUTCOMES.map(
  (outcome) => [outcome, sentenceCase(BOOKING_WORDS[outcome])] as const,
);

/** The default length of the list in days. */
const DAYS_SHOWN = 60;

/** Default days of the list: the last ones for past bookings, else from yesterday on. */
function defaultDays(status: Query['status'], timeZone: string): { from: string; to: string } {
  const now = Date.now();
  if (status === 'completed' || status === 'no_show')
    return {
      from: dayIn(timeZone, new Date(now - DAYS_SHOWN * DAY_MS)),
      to: dayIn(timeZone, new Date(now)),
    };
  const from = dayIn(timeZone, new Date(now - DAY_MS));
  return { from, to: dayAfter(from, DAYS_SHOWN) };
}

interface Query extends ListQuery {
  q?: string;
  status?: BookingOutcome | '';
  company_id?: string;
}

interface BookingList {
  query: Query;
  rows: BookingRow[];
  next: string | undefined;
  beside: Awaited<ReturnType<typeof findBookingListFacts>>;
}

async function findList(
  { ctx, membership: { workspace_id, time_zone, role, member_id } }: PageRequest,
  { db: { manager } }: ApiDependencies,
): Promise<BookingList> {
  const query = ctx.state.query as Query;
  const q = query.q?.trim() || undefined;
  if (q && isBookingId(q)) throw new Elsewhere(`/bookings/${q}`);
  const days = defaultDays(query.status, time_zone);
  const from = query.from || days.from;
  const to = query.to || (query.from ? dayAfter(from, DAYS_SHOWN) : days.to);
  // The filter shows the default days, and further pages keep them.
  ctx.state.query = { ...query, from, to };
  const range = readRange({ from, to }, time_zone);
  const { rows, next } = await readPage(ctx, isBookingId, 'start_at', (one) =>
    listBookings(manager, {
      workspace_id,
      from: range.from!,
      to: range.to!,
      ...withOutcome(query.status),
      company_id: query.company_id,
      q,
      only_of: can(role, 'all_bookings') ? undefined : member_id,
      ...one,
    }),
  );
  return { query, rows, next, beside: await findBookingListFacts(manager, workspace_id, rows) };
}

function Bookings({ ctx, data }: PageProps<BookingList>) {
  const { role } = ctx.state.membership!;
  const { query, rows, next, beside } = data;
  return (
    <>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'q', label: 'Name, reference or ID' },
          { name: 'status', label: 'Status', options: OUTCOME_OPTIONS },
          ...DAYS,
        ]}
        keep={{ company_id: query.company_id }}
      />
      <BookingTable ctx={ctx} bookings={rows} beside={beside} />
      <Pager ctx={ctx} next={next} />
      <Legend of="booking" />
      <p class="links">
        {(can(role, 'export_bookings') || !can(role, 'all_bookings')) && (
          <ExportButton ctx={ctx} path="/bookings.csv">
            Export CSV
          </ExportButton>
        )}
      </p>
    </>
  );
}

/**
 * Bookings by date, status and booker, by default from yesterday on. Searching for an id opens the booking.
 */
const listPage = page({
  path: '/bookings',
  query: joi.object({
    q: searchText.allow(''),
    status: choiceFilter(BOOKING_OUTCOMES),
    company_id: uuid,
    ...listFields,
  }),
  title: 'Bookings',
  load: findList,
  primary: BookARoom,
  view: Bookings,
});

export const bookings = [listPage, bookingPage, summaryPage, changePage];

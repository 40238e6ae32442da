import joi from 'joi';
import { listBookings, listLatestBookings, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { findBookingListFacts } from '../../../db/queries/workspaces/dashboard.js';
import { BOOKING_OUTCOMES, BOOKING_WORDS, withOutcome } from '../../../domain/bookings/state.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { isBookingId } from '../../../api/resources/bookings/booking.js';
import { searchText, uuid } from '../../../api/http/fields.js';
import { sentenceCase } from '../../ui/formats.js';
import { Legend } from '../shared/legend.js';
import { Segments } from '../shared/segments.js';
import {
  addressWith,
  ExportButton,
  choiceFilter,
  DAYS,
  Filter,
  listFields,
  readPage,
  Pager,
} from '../shared/list.js';
import { Elsewhere, page, type PageProps, type PageRequest } from '../forms/page.js';
import { BookARoom } from './book-a-room.js';
import { bookingPage } from './booking.js';
import { changePage } from './change-form.js';
import { summaryPage } from './summary.js';
import { chosenView, readStarts, VIEW_NAMES, VIEWS, type BookingQuery } from './starts.js';
import { BookingTable } from '../shared/booking-table.js';

const OUTCOME_OPTIONS = BOOKING_OUTCOMES.map(
  (outcome) => [outcome, sentenceCase(BOOKING_WORDS[outcome])] as const,
);

interface BookingList {
  query: BookingQuery;
  rows: BookingRow[];
  next: string | undefined;
  beside: Awaited<ReturnType<typeof findBookingListFacts>>;
}

async function findList(
  { ctx, membership: { workspace_id, time_zone, role, member_id } }: PageRequest,
  { db: { manager } }: ApiDependencies,
): Promise<BookingList> {
  const query = ctx.state.query as BookingQuery;
  const q = query.q?.trim() || undefined;
  if (q && isBookingId(q)) throw new Elsewhere(`/bookings/${q}`);
  const { isLatestFirst, ...starts } = await readStarts(manager, query, { workspace_id, time_zone });
  const list = isLatestFirst ? listLatestBookings : listBookings;
  const { rows, next } = await readPage(ctx, isBookingId, 'start_at', (one) =>
    list(manager, {
      workspace_id,
      ...starts,
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
  const view = chosenView(query);
  const fresh = { from: undefined, to: undefined, cursor: undefined };
  return (
    <>
      <div class="toolbar">
        <Segments
          label="Bookings"
          of={VIEW_NAMES.map((name) => ({
            href: addressWith(ctx, { ...fresh, view: name }),
            name: VIEWS[name],
            current: name === view,
          }))}
        />
      </div>
      <Filter
        ctx={ctx}
        fields={[
          { name: 'q', label: 'Name, reference or ID' },
          { name: 'status', label: 'Status', options: OUTCOME_OPTIONS },
          ...DAYS,
        ]}
        keep={{ company_id: query.company_id }}
      />
      <BookingTable ctx={ctx} bookings={rows} beside={beside} byDay />
      <Pager ctx={ctx} next={next} />
      <Legend of="booking" />
      <p class="links">
        {(can(role, 'export_bookings') || !can(role, 'all_bookings')) && (
          <ExportButton ctx={ctx} path="/bookings.csv" view={view ?? undefined}>
            Export CSV
          </ExportButton>
        )}
      </p>
    </>
  );
}

/**
 * Bookings that are running or start from today on, earlier ones or all, and those of a search or a filter at
 * any time. Searching for an id opens the booking.
 */
const listPage = page({
  path: '/bookings',
  query: joi.object({
    q: searchText.allow(''),
    status: choiceFilter(BOOKING_OUTCOMES),
    company_id: uuid,
    view: joi.valid(...VIEW_NAMES),
    ...listFields,
  }),
  title: 'Bookings',
  load: findList,
  primary: BookARoom,
  view: Bookings,
});

export const bookings = [listPage, bookingPage, summaryPage, changePage];

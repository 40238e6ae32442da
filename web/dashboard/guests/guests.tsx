import joi from 'joi';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { searchText, text } from '../../../api/http/fields.js';
import { isBookingId } from '../../../api/resources/bookings/booking.js';
import { eraseGuest } from '../../../api/resources/guests/operations.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import {
  listGuestBookings,
  listGuests,
  MAX_COUNTED,
  type GuestRow,
} from '../../../db/queries/guests/guest.js';
import { findBookingListFacts } from '../../../db/queries/workspaces/dashboard.js';
import { can } from '../../../domain/policies.js';
import { createFormats } from '../../ui/formats.js';
import { form } from '../forms/form.js';
import { hidden } from '../forms/inputs.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { About } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { BookingTable } from '../shared/booking-table.js';
import { Empty, Filter, Pager, readPage, Table } from '../shared/list.js';
import { PayerName } from '../shared/payer-name.js';

const MAX_SHOWN = 200;

interface OneGuest {
  guest?: GuestRow;
  bookings: BookingRow[];
  beside: Awaited<ReturnType<typeof findBookingListFacts>>;
}

interface GuestList {
  rows: GuestRow[];
  next: string | undefined;
}

/** A list of guests, or one guest, who may have no booking. */
interface GuestsPage {
  guest?: GuestRow;
  one?: OneGuest;
  list?: GuestList;
}

const erase = form(
  eraseGuest,
  { email: hidden(({ guest }: GuestsPage) => guest!.email) },
  {
    path: '/erase',
    summary: 'Erase guest',
    button: ({ guest }) => `Erase ${guest!.email} permanently`,
    rare: true,
    explains:
      'Name, email address and notes are deleted from all bookings, events and the audit log. The ' +
      'bookings, invoices and payments themselves are kept. This cannot be undone.',
    proof: true,
    notice: ({ bookings }) => `Guest erased from ${bookings === 1 ? 'one booking' : `${bookings} bookings`}.`,
  },
);

/** How many bookings a guest has, past and upcoming, without cancelled and unpaid ones. */
function formatBookingCount({ bookings, counted }: GuestRow): string {
  if (counted === MAX_COUNTED) return `${bookings} of the latest ${MAX_COUNTED}`;
  return bookings === 0 ? 'none' : String(bookings);
}

const formatNoShows = ({ no_shows }: GuestRow): string =>
  no_shows === 1 ? '1 no-show' : `${no_shows} no-shows`;

/** Guests with what they have booked. */
function GuestTable({ ctx, guests }: { ctx: ApiContext; guests: GuestRow[] }) {
  const { amount, day, money } = createFormats(ctx);
  return (
    <Table
      rows={guests}
      empty={<Empty ctx={ctx} says="Guests book without a membership, such as Ada from next door." />}
      columns={[
        {
          name: 'Name',
          show: ({ name, email }) => (
            <>
              <PayerName ctx={ctx} payer={{ kind: 'guest', id: email, name }} />
              <small>{email}</small>
            </>
          ),
        },
        {
          name: 'Bookings',
          show: (guest) => (
            <>
              <span class="nowrap">
                {formatBookingCount(guest)}{' '}
                {guest.bookings > 0 && (guest.bookings === 1 ? 'booking' : 'bookings')}
              </span>
              {guest.no_shows > 0 && <small>{formatNoShows(guest)}</small>}
            </>
          ),
        },
        {
          name: 'Visits',
          show: ({ last_visit, next_visit }) => (
            <>
              {last_visit && <span class="nowrap">last {day(last_visit)}</span>}
              {next_visit && <small class="nowrap">next {day(next_visit)}</small>}
            </>
          ),
        },
        { name: 'Spent', number: true, show: ({ spent }) => spent.map(money).join(', ') || amount(0) },
      ]}
    />
  );
}

/** A guest with their visits, bookings and what they have spent, and their erasure. */
function Guest({ ctx, at, data }: PageProps<OneGuest>) {
  const { role } = ctx.state.membership!;
  const { guest, bookings, beside } = data;
  const { day, money } = createFormats(ctx);
  if (!guest) return <p class="empty">No bookings with this email address.</p>;
  return (
    <div class="columns">
      <aside>
        <About
          title="Guest"
          of={[
            ['Email', <a href={`mailto:${guest.email}`}>{guest.email}</a>],
            ['Bookings', formatBookingCount(guest)],
            guest.no_shows > 0 && ['No-shows', String(guest.no_shows)],
            ['Last visit', guest.last_visit ? day(guest.last_visit) : 'none yet'],
            guest.next_visit && ['Next visit', day(guest.next_visit)],
            ['Spent', guest.spent.map(money).join(', ') || 'nothing yet'],
          ]}
        >
          <erase.Drawer page={{ ctx, at, data }} quiet />
        </About>
      </aside>
      <div>
        <h2>Bookings</h2>
        <BookingTable ctx={ctx} bookings={bookings} beside={beside} />
        {bookings.length === MAX_SHOWN && <p class="soft">These are the latest {MAX_SHOWN}.</p>}
        <p class="links">
          {can(role, 'read_booking_invoices') && (
            <a href={pathIn(ctx, `/invoices?q=${encodeURIComponent(guest.email)}`)}>Invoices</a>
          )}
          <a href={pathIn(ctx, '/guests')}>All guests</a>
        </p>
      </div>
    </div>
  );
}

function Guests({ ctx, data: { rows, next } }: PageProps<GuestList>) {
  return (
    <>
      <Filter ctx={ctx} fields={[{ name: 'q', label: 'Guest' }]} />
      <GuestTable ctx={ctx} guests={rows} />
      <Pager ctx={ctx} next={next} />
    </>
  );
}

async function findGuest(
  { caller: { workspace_id } }: PageRequest,
  { db: { manager } }: ApiDependencies,
  email: string,
): Promise<GuestsPage> {
  const [[guest], bookings] = await Promise.all([
    listGuests(manager, { workspace_id, email, limit: 1 }),
    listGuestBookings(manager, workspace_id, email, MAX_SHOWN),
  ]);
  const beside = await findBookingListFacts(manager, workspace_id, guest ? bookings : []);
  return { guest, one: { guest, bookings, beside } };
}

/** Guests by their latest booking; with `email`, the page of one. */
export const guests = [
  page({
    path: '/guests',
    capability: 'all_bookings',
    query: joi.object({
      q: searchText.allow(''),
      email: text(254).trim().allow(''),
      cursor: cursorParam,
    }),
    title: ({ guest }: GuestsPage) => guest?.name ?? 'Guests',
    find: async (): Promise<GuestsPage> => ({}),
    async load(request, deps): Promise<GuestsPage> {
      const { q, email } = request.query;
      if (email) return findGuest(request, deps, email);
      const { workspace_id } = request.caller;
      return {
        list: await readPage(request.ctx, isBookingId, 'start_at', (range) =>
          listGuests(deps.db.manager, { workspace_id, q: q || undefined, ...range }),
        ),
      };
    },
    view: ({ data, ...props }: PageProps<GuestsPage>) =>
      data.one ? <Guest {...props} data={data.one} /> : <Guests {...props} data={data.list!} />,
    forms: [erase],
  }),
];

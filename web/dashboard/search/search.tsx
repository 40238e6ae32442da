import joi from 'joi';
import { listGuests } from '../../../db/queries/guests/guest.js';
import { searchBookings } from '../../../db/queries/bookings/booking.js';
import { listInvoices } from '../../../db/queries/invoices/invoice.js';
import { listPayers } from '../../../db/queries/invoices/payer.js';
import { listCompanies } from '../../../db/queries/companies/company.js';
import { listMembers } from '../../../db/queries/members/member.js';
import { findBookingListFacts } from '../../../db/queries/workspaces/dashboard.js';
import { searchRooms } from '../../../db/queries/rooms/room.js';
import { can } from '../../../domain/policies.js';
import { visibleTo } from '../../../domain/invoices/visibility.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { searchText } from '../../../api/http/fields.js';
import { Elsewhere, page, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { BookingTable } from '../shared/booking-table.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { findAttention } from '../shared/attention/items.js';
import { sentenceCase } from '../../ui/formats.js';
import { pageOfPayer } from '../shared/payer-name.js';
import { InvoiceTable, UnseenInvoices } from '../invoices/invoice-table.js';
import { ask } from './ask-about-payment.js';
import { ID, pageOfId } from './find-id.js';
import { Unknown } from './unknown.js';

const MAX_FOUND = 20;

const wordsIn = ({ query }: Pick<PageRequest, 'query'>): string =>
  (query.q ?? '').trim().replace(/(…|\.\.\.)$/, '');

/** Search results. A single result, or one found by id, opens immediately. */
async function readSearch(request: PageRequest, deps: ApiDependencies) {
  const { manager } = deps.db;
  const { workspace_id, role, member_id } = request.caller;
  const q = wordsIn(request);
  const known = q && (await pageOfId(deps, request.caller, q));
  if (known) throw new Elsewhere(known);
  const seesAll = can(role, 'all_bookings');
  const only_of = seesAll ? undefined : member_id;
  const words = q !== '' && !ID.test(q);
  const [bookings, invoices, guests, people, companies, rooms, attention] = await Promise.all([
    words ? searchBookings(manager, { workspace_id, q, only_of, limit: MAX_FOUND }) : [],
    words
      ? listInvoices(manager, {
          workspace_id,
          reference: q,
          visible_to: visibleTo({ role, member_id }),
          limit: MAX_FOUND,
        })
      : [],
    words && seesAll ? listGuests(manager, { workspace_id, q, limit: MAX_FOUND }) : [],
    words && can(role, 'read_others')
      ? listMembers(manager, { workspace_id, q, include_archived: true, limit: MAX_FOUND })
      : [],
    words && can(role, 'read_payers') ? listCompanies(manager, { workspace_id, q, limit: MAX_FOUND }) : [],
    words && can(role, 'write_blackouts') ? searchRooms(manager, { workspace_id, q, limit: MAX_FOUND }) : [],
    seesAll && words ? findAttention(deps, workspace_id) : [],
  ]);
  // Guests are found through their bookings, so a guest with one booking opens that booking.
  const only = [
    ...bookings.map(({ id }) => `/bookings/${id}`),
    ...invoices.map(({ id }) => `/invoices/${id}`),
    ...rooms.map(({ id }) => `/rooms/${id}`),
    ...people.map(({ id }) => `/members/${id}`),
    ...companies.map(({ id }) => `/companies/${id}`),
  ];
  if (only.length === 1) throw new Elsewhere(only[0]!);
  const beside = await findBookingListFacts(manager, workspace_id, bookings);
  const payers = await listPayers(
    manager,
    invoices.map(({ id }) => id),
  );
  const found = new Set(bookings.map(({ id }) => id));
  const troubles = attention.filter(({ booking_id }) => booking_id && found.has(booking_id));
  return {
    deps,
    q,
    nothing: only.length === 0,
    troubles,
    bookings,
    beside,
    guests,
    people,
    companies,
    rooms,
    invoices,
    payers,
  };
}

type Search = Awaited<ReturnType<typeof readSearch>>;

function Found(props: PageProps<Search>) {
  const { ctx, data } = props;
  const { deps, q, nothing, troubles, bookings, beside, guests, people, companies, rooms } = data;
  return (
    <>
      {nothing && (
        <p class="empty">
          {q ? 'No results.' : 'Names, email addresses, numbers and references of documents, and IDs.'}
        </p>
      )}
      {nothing && q && <UnseenInvoices ctx={ctx} />}
      {nothing && q && <Unknown page={props} />}
      <AttentionList ctx={ctx} deps={deps} items={troubles} />
      {bookings.length > 0 && (
        <>
          <h2>Bookings</h2>
          <BookingTable ctx={ctx} bookings={bookings} beside={beside} />
          {bookings.length === MAX_FOUND && <p class="soft">These are the {MAX_FOUND} nearest to now.</p>}
        </>
      )}
      <Names
        title="Guests"
        of={guests.map(({ name, email }) => ({
          name,
          email,
          page: pageOfPayer(ctx, { kind: 'guest', id: email })!,
        }))}
      />
      <Names
        title="Members"
        of={people.map(({ id, name, email, status }) => ({
          name,
          email,
          page: pathIn(ctx, `/members/${id}`),
          status: sentenceCase(status),
        }))}
      />
      <Names
        title="Companies"
        of={companies.map(({ id, name }) => ({ name, page: pathIn(ctx, `/companies/${id}`) }))}
      />
      <Names title="Rooms" of={rooms.map(({ id, name }) => ({ name, page: pathIn(ctx, `/rooms/${id}`) }))} />
      {data.invoices.length > 0 && (
        <>
          <h2>Invoices</h2>
          <InvoiceTable ctx={ctx} invoices={data.invoices} payers={data.payers} />
        </>
      )}
    </>
  );
}

function Names(props: {
  title: string;
  of: { name: string; page: string; email?: string; status?: string }[];
}) {
  const { title, of } = props;
  if (of.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="card found">
        {of.map(({ name, page, email, status }) => (
          <li key={page}>
            <a href={page}>{name}</a> <span class="soft">{email}</span>{' '}
            {status && <span class="soft">{status}</span>}
          </li>
        ))}
      </ul>
      {of.length === MAX_FOUND && <p class="soft">These are the first {MAX_FOUND}.</p>}
    </>
  );
}

/**
 * Finds an object by an id of this service or of the processor, bookings, guests, companies, members and
 * rooms by name or address, and invoices by reference.
 */
export const search = [
  page<Search, { q: string }>({
    path: '/search',
    query: joi.object({ q: searchText.allow('') }),
    title: ({ q }) => (q ? `Search: ${q}` : 'Search'),
    find: async (request) => ({ q: wordsIn(request) }),
    load: readSearch,
    view: Found,
    forms: [ask],
  }),
];

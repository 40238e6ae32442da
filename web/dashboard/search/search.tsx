import joi from 'joi';
import { listGuests } from '../../../db/queries/guests/guest.js';
import { searchBookings } from '../../../db/queries/bookings/booking.js';
import { listInvoices } from '../../../db/queries/invoices/invoice.js';
import { listPayers } from '../../../db/queries/invoices/payer.js';
import { listCompanies } from '../../../db/queries/companies/company.js';
import { listMembers } from '../../../db/queries/members/member.js';
import { findBeside } from '../../../db/queries/workspaces/dashboard.js';
import { searchRooms } from '../../../db/queries/rooms/room.js';
import { can } from '../../../domain/policies.js';
import { visibleTo } from '../../../domain/invoices/visibility.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { searchText } from '../../../api/http/fields.js';
import { BookingTable } from '../shared/booking-table.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { findAttention } from '../shared/attention/items.js';
import { sentenceCase } from '../../ui/formats.js';
import { pageOfPayer } from '../shared/payer-name.js';
import { InvoiceTable, UnseenInvoices } from '../invoices/invoice-table.js';
import { showSection } from '../shared/workspace.js';
import { ID, pageOfId } from './find-id.js';
import { Unknown } from './unknown.js';

const MAX_FOUND = 20;

export const searchQuery = joi.object({ q: searchText.allow('') });

/**
 * `GET /dashboard/:workspace/search`: leads to what has an id of ours or of the processor, and lists
 * bookings, guests, companies, members and rooms by name or address, and invoices by reference. What is found
 * alone is opened immediately.
 */
export function showSearch(deps: ApiDependencies): Handler {
  const { manager } = deps.db;
  return async (ctx) => {
    const { workspace_id, role, member_id } = ctx.state.membership!;
    const home = `/dashboard/${workspace_id}`;
    const q = ((ctx.state.query as { q?: string } | undefined)?.q ?? '').trim().replace(/(…|\.\.\.)$/, '');
    const page = q && (await pageOfId(deps, ctx, q));
    if (page) return ctx.redirect(home + page);
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
      words && can(role, 'write_blackouts')
        ? searchRooms(manager, { workspace_id, q, limit: MAX_FOUND })
        : [],
      seesAll && words ? findAttention(deps, workspace_id) : [],
    ]);
    // A guest is found by their bookings, so that one with a single booking leads to it.
    const only = [
      ...bookings.map(({ id }) => `/bookings/${id}`),
      ...invoices.map(({ id }) => `/invoices/${id}`),
      ...rooms.map(({ id }) => `/rooms/${id}`),
      ...people.map(({ id }) => `/members/${id}`),
      ...companies.map(({ id }) => `/companies/${id}`),
    ];
    if (only.length === 1) return ctx.redirect(home + only[0]!);
    const guestPage = (id: string): string => pageOfPayer(ctx, { kind: 'guest', id })!;
    const beside = await findBeside(manager, workspace_id, bookings);
    const payers = await listPayers(
      manager,
      invoices.map(({ id }) => id),
    );
    const found = new Set(bookings.map(({ id }) => id));
    const troubles = attention.filter(({ booking_id }) => booking_id && found.has(booking_id));
    const nothing = only.length === 0;
    showSection(ctx, {
      title: q ? `Search: ${q}` : 'Search',
      at: '/search',
      children: (
        <>
          {nothing && (
            <p>
              {q
                ? 'No results.'
                : 'Enter a name, an email address, a number or reference on any document, or an ID.'}
            </p>
          )}
          {nothing && q && <UnseenInvoices ctx={ctx} />}
          {nothing && q && <Unknown ctx={ctx} q={q} home={home} />}
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
            of={guests.map(({ name, email }) => ({ name, email, page: guestPage(email) }))}
          />
          <Names
            title="Members"
            of={people.map(({ id, name, email, status }) => ({
              name,
              email,
              page: `${home}/members/${id}`,
              status: sentenceCase(status),
            }))}
          />
          <Names
            title="Companies"
            of={companies.map(({ id, name }) => ({ name, page: `${home}/companies/${id}` }))}
          />
          <Names title="Rooms" of={rooms.map(({ id, name }) => ({ name, page: `${home}/rooms/${id}` }))} />
          {invoices.length > 0 && (
            <>
              <h2>Invoices</h2>
              <InvoiceTable ctx={ctx} invoices={invoices} payers={payers} />
            </>
          )}
        </>
      ),
    });
  };
}

/** What was found of a kind, by name; nothing if there is none. */
function Names(props: {
  title: string;
  of: { name: string; page: string; email?: string; status?: string }[];
}) {
  const { title, of } = props;
  if (of.length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <ul class="plain">
        {of.map(({ name, page, email, status }) => (
          <li key={page}>
            <a href={page}>{name}</a> {email} {status && <span class="soft">{status}</span>}
          </li>
        ))}
      </ul>
      {of.length === MAX_FOUND && <p class="soft">These are the first {MAX_FOUND}.</p>}
    </>
  );
}

import joi from 'joi';
import { searchBookings } from '../../../db/queries/bookings/booking.js';
import { listCompanies } from '../../../db/queries/members/company.js';
import { listMembers } from '../../../db/queries/members/member.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import type { Room } from '../../../db/entities/rooms.js';
import type { Tx } from '../../../db/transaction.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { searchText } from '../../../api/http/fields.js';
import { BookingTable } from '../shared/booking-table.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { findAttention } from '../shared/attention/items.js';
import { Form } from '../shared/form.js';
import { sentenceCase } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { ID, pageOfId } from './find-id.js';

const MAX_FOUND = 20;
const MAX_ROOMS = 200;

export const searchQuery = joi.object({ q: searchText.allow('') });

/**
 * `GET /dashboard/:workspace/search`: leads to what has an id of ours or of the processor, and lists bookings, companies
 * and members by name or address. What is found alone is opened immediately.
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
    const [bookings, people, companies, rooms, attention] = await Promise.all([
      words ? searchBookings(manager, { workspace_id, q, only_of, limit: MAX_FOUND }) : [],
      words && can(role, 'read_others')
        ? listMembers(manager, { workspace_id, q, include_archived: true, limit: MAX_FOUND })
        : [],
      words && can(role, 'read_others') ? listCompanies(manager, { workspace_id, q, limit: MAX_FOUND }) : [],
      words && can(role, 'write_rooms') ? findRooms(manager, workspace_id, q) : [],
      seesAll && words ? findAttention(deps, workspace_id) : [],
    ]);
    const only = [
      ...bookings.map(({ id }) => `/bookings/${id}`),
      ...rooms.map(({ id }) => `/rooms/${id}`),
      ...people.map(() => null),
      ...companies.map(() => null),
    ];
    if (only.length === 1 && only[0]) return ctx.redirect(home + only[0]);
    const members = await findBookingMembers(manager, workspace_id, bookings);
    const found = new Set(bookings.map(({ id }) => id));
    const troubles = attention.filter(({ booking_id }) => booking_id && found.has(booking_id));
    const nothing = only.length === 0;
    showSection(ctx, {
      title: q ? `Search: ${q}` : 'Search',
      at: '/search',
      children: (
        <>
          {nothing && <p>{q ? 'No results.' : 'Enter an ID, a name or an email address.'}</p>}
          {nothing && q && <Unknown ctx={ctx} q={q} home={home} />}
          <AttentionList ctx={ctx} deps={deps} items={troubles} />
          {bookings.length > 0 && (
            <>
              <h2>Bookings</h2>
              <BookingTable ctx={ctx} bookings={bookings} members={members} />
              {bookings.length === MAX_FOUND && <p class="soft">These are the {MAX_FOUND} nearest to now.</p>}
            </>
          )}
          {rooms.length > 0 && (
            <>
              <h2>Rooms</h2>
              <ul class="plain">
                {rooms.map(({ id, name }) => (
                  <li key={id}>
                    <a href={`${home}/rooms/${id}`}>{name}</a>
                  </li>
                ))}
              </ul>
            </>
          )}
          {companies.length > 0 && (
            <>
              <h2>Companies</h2>
              <ul class="plain">
                {companies.map(({ id, name }) => (
                  <li key={id}>
                    <a href={`${home}/companies/${id}`}>{name}</a>
                  </li>
                ))}
              </ul>
            </>
          )}
          {people.length > 0 && (
            <>
              <h2>Members</h2>
              <ul class="plain">
                {people.map(({ id, name, email, status }) => (
                  <li key={id}>
                    <a href={`${home}/members/${id}`}>{name}</a> {email}{' '}
                    <span class="soft">{sentenceCase(status)}</span>
                  </li>
                ))}
              </ul>
            </>
          )}
        </>
      ),
    });
  };
}

/** The rooms whose name has these words, in any letter case. */
async function findRooms(tx: Tx, workspace_id: string, q: string): Promise<Room[]> {
  const rooms = await listRooms(tx, { workspace_id, include_archived: true, limit: MAX_ROOMS });
  const words = q.toLowerCase().split(/\s+/);
  return rooms.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

/** What can be searched for; for a payment intent that is not known here, a button that asks the processor about it. */
function Unknown({ ctx, q, home }: { ctx: ApiContext; q: string; home: string }) {
  const intent = /^pi_\w+$/.test(q) && can(ctx.state.membership!.role, 'write_billing');
  return (
    <>
      <p class="soft">
        You can search for bookings (bk_…), invoices (inv_… or their number), payments (pay_…, or pi_… at
        Stripe), checkouts (cs_…), members (mem_…), events (evt_…), email addresses, and names of people,
        companies and rooms. The first characters of an ID of this service are enough.
      </p>
      {intent && (
        <Form ctx={ctx} action={`${home}/search/ask`} class="actions">
          <input type="hidden" name="payment_intent_id" value={q} />
          <button>Look up this payment at Stripe</button>
        </Form>
      )}
    </>
  );
}

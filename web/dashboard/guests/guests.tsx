import joi from 'joi';
import { listGuests, type GuestRow } from '../../../db/queries/guests/guest.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { isBookingId } from '../../../api/resources/bookings/shape.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { searchText, text } from '../../../api/http/fields.js';
import { formatsOf } from '../../ui/formats.js';
import { Filter, Pager, readPage, Table } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { PayerName } from '../shared/payer-name.js';
import { bookingsOf, showGuest } from './guest.js';

export const guestsQuery = joi.object({
  q: searchText.allow(''),
  /** The page of the guest with this address. */
  email: text(254).trim().allow(''),
  cursor: cursorParam,
});

const noShowsOf = ({ no_shows }: GuestRow): string => (no_shows === 1 ? '1 no-show' : `${no_shows} no-shows`);

/** Guests with what they have booked. */
function GuestTable({ ctx, guests }: { ctx: ApiContext; guests: GuestRow[] }) {
  const { amount, day, money } = formatsOf(ctx);
  return (
    <Table
      rows={guests}
      empty="No guests."
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
              {bookingsOf(guest)} {guest.bookings > 0 && (guest.bookings === 1 ? 'booking' : 'bookings')}
              {guest.no_shows > 0 && <small>{noShowsOf(guest)}</small>}
            </>
          ),
        },
        {
          name: 'Visits',
          show: ({ last_visit, next_visit }) => (
            <>
              {last_visit && `last ${day(last_visit)}`}
              {next_visit && <small>next {day(next_visit)}</small>}
            </>
          ),
        },
        { name: 'Spent', number: true, show: ({ spent }) => spent.map(money).join(', ') || amount(0) },
      ]}
    />
  );
}

/** `GET /dashboard/:workspace/guests`: guests by their latest booking; with `email`, the page of one. */
export function showGuests(deps: ApiDependencies): Handler {
  return async (ctx, next) => {
    const { workspace_id } = ctx.state.membership!;
    const { q, email } = ctx.state.query as { q?: string; email?: string };
    if (email) return showGuest(deps, email)(ctx, next);
    const { rows, next: further } = await readPage(ctx, isBookingId, 'start_at', (page) =>
      listGuests(deps.db.manager, { workspace_id, q: q || undefined, ...page }),
    );
    showSection(ctx, {
      title: 'Guests',
      at: '/guests',
      children: (
        <>
          <Filter ctx={ctx} fields={[{ name: 'q', label: 'Name, email or company' }]} />
          <p class="soft">
            Guests book without a membership. They are listed by the time of their latest booking.
          </p>
          <GuestTable ctx={ctx} guests={rows} />
          <Pager ctx={ctx} next={further} />
        </>
      ),
    });
  };
}

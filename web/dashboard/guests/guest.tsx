import {
  listGuestBookings,
  listGuests,
  MAX_COUNTED,
  type GuestRow,
} from '../../../db/queries/guests/guest.js';
import { findBeside } from '../../../db/queries/workspaces/dashboard.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { erase } from '../../../api/resources/guests/erase.js';
import { eraseSchema } from '../../../api/resources/guests/shape.js';
import type { Handler } from '../../../api/http/context.js';
import { BookingTable } from '../shared/booking-table.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Action, Facts } from '../shared/action.js';
import { formatsOf } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { textFields } from '../shared/declared-fields.js';

const MAX_SHOWN = 200;

/** How many bookings a guest has had or has, without those that were cancelled or not paid. */
export function bookingsOf({ bookings, counted }: GuestRow): string {
  if (counted === MAX_COUNTED) return `${bookings} of the latest ${MAX_COUNTED}`;
  return bookings === 0 ? 'none confirmed' : String(bookings);
}

export const eraseFields = { ...hiddenFields, ...textFields(eraseSchema, 'email') };

/** Erases a guest like `POST /v1/guests/erase`. */
export const eraseForm = apiForm<{ email: string }, { bookings: number }>({
  handler: erase,
  schema: eraseSchema,
  body: ({ email }) => ({ email }),
  notice: ({ bookings }) => `Guest erased from ${bookings === 1 ? 'one booking' : `${bookings} bookings`}.`,
  to: () => '/guests',
});

/**
 * `GET /dashboard/:workspace/guests?email`: a guest with their visits, bookings and what they have
 * spent, and their erasure.
 */
export function showGuest({ db }: ApiDependencies, email: string): Handler {
  return async (ctx) => {
    const { workspace_id, role } = ctx.state.membership!;
    const [[guest], bookings] = await Promise.all([
      listGuests(db.manager, { workspace_id, email, limit: 1 }),
      listGuestBookings(db.manager, workspace_id, email, MAX_SHOWN),
    ]);
    const { day, money } = formatsOf(ctx);
    const all = <a href={pathIn(ctx, '/guests')}>All guests</a>;
    if (!guest)
      return showSection(ctx, {
        title: 'Guests',
        at: '/guests',
        children: (
          <>
            <p>No bookings with this email address.</p>
            <p class="links">{all}</p>
          </>
        ),
      });
    showSection(ctx, {
      title: guest.name,
      at: '/guests',
      children: (
        <>
          <Facts
            of={[
              ['Email', <a href={`mailto:${guest.email}`}>{guest.email}</a>],
              ['Bookings', bookingsOf(guest)],
              guest.no_shows > 0 && ['No-shows', String(guest.no_shows)],
              ['Last visit', guest.last_visit ? day(guest.last_visit) : 'none yet'],
              guest.next_visit && ['Next visit', day(guest.next_visit)],
              ['Spent', guest.spent.map(money).join(', ') || 'nothing yet'],
            ]}
          />
          <p class="links">
            {all}
            {can(role, 'read_booking_invoices') && (
              <a href={pathIn(ctx, `/invoices?q=${encodeURIComponent(guest.email)}`)}>Invoices</a>
            )}
          </p>
          <h2>Bookings</h2>
          <BookingTable
            ctx={ctx}
            bookings={bookings}
            beside={await findBeside(db.manager, workspace_id, bookings)}
          />
          {bookings.length === MAX_SHOWN && <p class="soft">These are the latest {MAX_SHOWN}.</p>}
          {can(role, 'hard_delete') && (
            <div class="card">
              <Action
                ctx={ctx}
                action={pathIn(ctx, '/guests/erase')}
                summary="Erase this guest"
                button={`Erase ${guest.email} permanently`}
                rare
              >
                <p>
                  Name, email address and notes are deleted from all bookings, events and the audit log. The
                  bookings, invoices and payments themselves are kept. This cannot be undone.
                </p>
                <input type="hidden" name="email" value={guest.email} />
              </Action>
            </div>
          )}
        </>
      ),
    });
  };
}

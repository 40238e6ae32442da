import joi from 'joi';
import { listGuestBookings } from '../../../db/queries/bookings/guest.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { erase } from '../../../api/resources/guests/erase.js';
import { eraseSchema } from '../../../api/resources/guests/shape.js';
import type { Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { BookingTable } from '../shared/booking-table.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Action, Facts } from '../shared/action.js';
import { formatsOf } from '../../ui/formats.js';
import { Filter } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { textFields } from '../shared/declared-fields.js';

const MAX_SHOWN = 200;

export const guestsQuery = joi.object({ email: text(254).trim().allow('') });

export const eraseFields = { ...hiddenFields, ...textFields(eraseSchema, 'email') };

/** Erases a guest like `POST /v1/guests/erase`. */
export const eraseForm = apiForm<{ email: string }, { bookings: number }>({
  handler: erase,
  schema: eraseSchema,
  body: ({ email }) => ({ email }),
  notice: ({ bookings }) => `Guest erased from ${bookings === 1 ? 'one booking' : `${bookings} bookings`}.`,
  to: () => '/guests',
});

/** `GET /dashboard/:workspace/guests?email`: a guest's bookings, and their erasure. */
export function showGuests({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, role } = ctx.state.membership!;
    const { email = '' } = ctx.state.query as { email?: string };
    const bookings = email ? await listGuestBookings(db.manager, workspace_id, email, MAX_SHOWN) : [];
    const { day } = formatsOf(ctx);
    const latest = bookings[0];
    const count = bookings.length === MAX_SHOWN ? `the latest ${MAX_SHOWN}` : String(bookings.length);
    showSection(ctx, {
      title: 'Guests',
      at: '/guests',
      children: (
        <>
          <Filter ctx={ctx} fields={[{ name: 'email', label: 'Guest’s email address' }]} />
          {!email && (
            <p class="soft">
              Guests book without a membership. To find a guest by name, search the{' '}
              <a href={pathIn(ctx, '/bookings')}>bookings</a>.
            </p>
          )}
          {email && !latest && <p class="soft">No bookings with this email address.</p>}
          {latest && (
            <>
              <Facts
                of={[
                  ['Name', latest.guest_name],
                  ['Email', latest.guest_email],
                  ['Bookings', count],
                  ['Latest', day(latest.start_at)],
                ]}
              />
              <p class="links">
                {can(role, 'read_billing') && (
                  <a href={pathIn(ctx, `/invoices?q=${encodeURIComponent(email)}`)}>Invoices</a>
                )}
              </p>
              <h2>Bookings</h2>
              <BookingTable ctx={ctx} bookings={bookings} members={new Map()} />
              {can(role, 'hard_delete') && (
                <div class="card">
                  <Action
                    ctx={ctx}
                    action={pathIn(ctx, '/guests/erase')}
                    summary="Erase this guest"
                    button={`Erase ${latest.guest_email} permanently`}
                    rare
                  >
                    <p>
                      Name, email address and notes are deleted from all bookings, events and the audit log.
                      The bookings, invoices and payments themselves are kept. This cannot be undone.
                    </p>
                    <input type="hidden" name="email" value={email} />
                  </Action>
                </div>
              )}
            </>
          )}
        </>
      ),
    });
  };
}

import joi from 'joi';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { DEFAULT_DETAILS } from '../../../domain/booking-details.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { pathIn } from '../shared/api-form.js';
import { Choice, Select, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { showSection } from '../shared/workspace.js';
import { findPayer } from './account.js';
import { freeTimes, timesQuery, type TimesQuery } from './free-times.js';
import { detailsForm } from '../bookings/details.js';
import { inputOf } from '../shared/declared-fields.js';
import { createSchema } from '../../../api/resources/bookings/shape.js';

const MAX_ROOMS = 200;
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;
const prefilled = joi.string().pattern(LOCAL).allow('');

export const bookQuery = joi.object({
  ...timesQuery,
  room_id: text(64).allow(''),
  start_at: prefilled,
  end_at: prefilled,
});

/** The room and times of a form that is shown again, because they are taken or its user went back. */
function askedBefore(ctx: ApiContext): TimesQuery {
  const { submitted } = ctx.state.rejection ?? {};
  if (!submitted) return {};
  const [room_id, start_at, end_at] = ['room_id', 'start_at', 'end_at'].map(
    (name) => [submitted[name]].flat()[0],
  );
  return { room_id, start_at, end_at };
}

/** `GET /dashboard/:workspace/book`: the form to book a room, filled in by the calendar. */
export function showBook(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, member_id, role, currency } = ctx.state.membership!;
    const query = (ctx.state.query ?? {}) as TimesQuery;
    const rooms = await listRooms(deps.db.manager, {
      workspace_id,
      include_archived: false,
      limit: MAX_ROOMS,
    });
    const seesAll = can(role, 'all_bookings');
    // Staff book from the calendar, which shows the same.
    const times = seesAll ? null : await freeTimes(ctx, deps, rooms, { ...query, ...askedBefore(ctx) });
    const payer = seesAll ? null : await findPayer(ctx, deps, member_id, currency);
    const hasTerms = payer !== null && payer.payment_terms !== null;
    showSection(ctx, {
      title: 'Book a room',
      at: seesAll ? '/calendar' : '/bookings',
      children: (
        <>
          {times}
          <Form class="card" ctx={ctx} action={pathIn(ctx, '/book')} once>
            <Select
              name="room_id"
              label="Room"
              options={rooms.map(({ id, name }) => [id, name] as const)}
              chosen={[query.room_id ?? '']}
            />
            <TextField name="start_at" label="Start" type="datetime-local" required value={query.start_at} />
            <TextField name="end_at" label="End" type="datetime-local" required value={query.end_at} />
            {seesAll && (
              <>
                <TextField
                  {...inputOf(createSchema, 'booked_by.guest.email')}
                  label="Email of the guest or member"
                  type="email"
                  autocomplete="off"
                />
                <TextField
                  {...inputOf(createSchema, 'booked_by.guest.name')}
                  required={false}
                  label="Name (for a guest)"
                  autocomplete="off"
                />
              </>
            )}
            <detailsForm.Inputs of={DEFAULT_DETAILS} />
            <Choice name="use_tokens">Use hour credits first{seesAll && ' (members only)'}</Choice>
            {(seesAll || hasTerms) && (
              <Choice name="on_account">
                On account, invoiced by the terms of {payer?.name ?? 'the member or their company'}
              </Choice>
            )}
            <p class="soft">
              Times are in the room’s time zone. You review the price before the slot is held.
            </p>
            <button>Review price</button>
          </Form>
        </>
      ),
    });
  };
}

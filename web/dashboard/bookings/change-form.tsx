import joi from 'joi';
import { findRoom, listRooms } from '../../../db/queries/rooms/room.js';
import { whyNotChange } from '../../../domain/booking-change.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { PageError } from '../../ui/browser.js';
import { pathIn } from '../shared/api-form.js';
import { Choice, Select, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { formatsOf } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { bookingOf, pathOf } from './booking-in-path.js';
import type { ChangeForm } from './change.js';
import { LOCAL, localTime } from '../shared/local-time.js';
import { detailsForm } from './details.js';

const MAX_ROOMS = 200;

/** A local time in the address, as links from the calendar have it. */
const prefilled = joi.string().pattern(LOCAL).allow('');

export const changeQuery = joi.object({ start_at: prefilled, end_at: prefilled, room_id: text(64) });

/** `GET /dashboard/:workspace/bookings/:id/change`: the form to move, lengthen or edit a booking. */
export function showChange(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    const { workspace_id, time_zone } = booking;
    const room = (await findRoom(deps.db.manager, workspace_id, booking.room_id))!;
    const refusal = whyNotChange(booking, room, Date.now(), { moves: false });
    if (refusal) throw new PageError(409, 'This booking cannot be changed', refusal.message);
    const query = (ctx.state.query ?? {}) as Partial<ChangeForm>;
    const rooms = await listRooms(deps.db.manager, {
      workspace_id,
      include_archived: false,
      limit: MAX_ROOMS,
    });
    const options = rooms.map(({ id, name }) => [id, name] as const);
    if (!rooms.some(({ id }) => id === booking.room_id))
      options.unshift([booking.room_id, booking.room_name]);
    showSection(ctx, {
      title: 'Change booking',
      at: '/bookings',
      children: (
        <>
          <p>
            {booking.room_name}, {formatsOf(ctx).span(booking)}.{' '}
            <a href={pathIn(ctx, pathOf(ctx))}>Back to the booking</a>
          </p>
          <Form class="card" ctx={ctx} action={pathIn(ctx, `${pathOf(ctx)}/change`)} once>
            <Select
              name="room_id"
              label="Room"
              options={options}
              chosen={[query.room_id || booking.room_id]}
            />
            <TextField
              name="start_at"
              label="Start"
              type="datetime-local"
              required
              value={query.start_at || localTime(booking.start_at, time_zone)}
            />
            <TextField
              name="end_at"
              label="End"
              type="datetime-local"
              required
              value={query.end_at || localTime(booking.end_at, time_zone)}
            />
            <detailsForm.Inputs of={booking} />
            {booking.processor_payment_intent_id !== null && (
              <Choice name="pay_by_link">
                If the price rises, send the payer a link instead of charging the card on file
              </Choice>
            )}
            <p class="soft">
              Times are in the room’s zone ({time_zone}). You review the price before anything changes.
            </p>
            <button>Review change</button>
          </Form>
        </>
      ),
    });
  };
}

import joi from 'joi';
import { findRoom, listRooms } from '../../../db/queries/rooms/room.js';
import { isRunning, whyNotChange } from '../../../domain/booking-change.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { text } from '../../../api/http/fields.js';
import { PageError } from '../../ui/browser.js';
import { ExtraInputs, extraRows, offeredExtras, submittedExtras } from '../../ui/extras.js';
import { pathIn } from '../shared/api-form.js';
import { Choice, Select } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { formatsOf, otherZone } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { bookingOf, pathOf } from './booking-in-path.js';
import { freeTimes, timesQuery, type TimesQuery } from '../calendar/free-times.js';
import type { ChangeForm } from './change.js';
import { TimeFields, timesInQuery, timesOf } from '../shared/time-fields.js';
import { detailsForm } from './details.js';
import { ENGLISH } from '../../../domain/words/words.js';

const MAX_ROOMS = 200;

export const changeQuery = joi.object({ ...timesQuery, ...timesInQuery, room_id: text(64) });

/** `GET /dashboard/:workspace/bookings/:id/change`: the form to move, lengthen or edit a booking. */
export function showChange(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    const { workspace_id, time_zone } = booking;
    const room = (await findRoom(deps.db.manager, workspace_id, booking.room_id))!;
    const lengthens = can(ctx.state.membership!.role, 'all_bookings') && isRunning(booking, Date.now());
    const refusal = whyNotChange(booking, room, Date.now(), { moves: false, lengthens });
    if (refusal) throw new PageError(409, 'This booking cannot be changed', refusal.message);
    const query = (ctx.state.query ?? {}) as Partial<ChangeForm> & TimesQuery;
    const rooms = await listRooms(deps.db.manager, {
      workspace_id,
      include_archived: false,
      limit: MAX_ROOMS,
    });
    const byStaff = can(ctx.state.membership!.role, 'all_bookings');
    const offered = await offeredExtras(deps.db.manager, room, { by_staff: byStaff });
    const extras = extraRows(ENGLISH, offered, {
      booked: booking,
      submitted: ctx.state.rejection && submittedExtras(ctx.state.rejection.submitted),
      amount: formatsOf(ctx).amount,
    });
    const options = rooms.map(({ id, name }) => [id, name] as const);
    if (!rooms.some(({ id }) => id === booking.room_id))
      options.unshift([booking.room_id, booking.room_name]);
    const asked = { room_id: booking.room_id, ...timesOf(booking), ...query };
    const times = lengthens
      ? null
      : await freeTimes(ctx, deps, rooms, asked, { at: `${pathOf(ctx)}/change`, moved: booking });
    showSection(ctx, {
      title: 'Change booking',
      at: '/bookings',
      children: (
        <>
          <p>
            {booking.room_name}, {formatsOf(ctx).span(booking)}.{' '}
            <a href={pathIn(ctx, pathOf(ctx))}>Back to the booking</a>
          </p>
          {times && (
            <details class="action" open={Boolean(query.day)}>
              <summary>Show free times</summary>
              {times}
            </details>
          )}
          <Form class="card" ctx={ctx} action={pathIn(ctx, `${pathOf(ctx)}/change`)} once>
            {lengthens && (
              <p class="hint">The booking has begun: only its end can be later, and its extras can change.</p>
            )}
            <Select
              name="room_id"
              label="Room"
              options={options}
              chosen={[query.room_id || booking.room_id]}
            />
            <TimeFields of={query.start_at ? query : timesOf(booking)} />
            <detailsForm.Inputs of={booking} />
            <ExtraInputs rows={extras} />
            {booking.processor_payment_intent_id !== null && (
              <Choice name="pay_by_link">
                {byStaff
                  ? 'If the price rises, do not charge the card on file: take the difference at the desk, or send the payer a link'
                  : 'If the price rises, pay with a link instead of charging the card on file'}
              </Choice>
            )}
            <p class="soft">
              Times are in the room’s time zone{otherZone(ctx, time_zone)}. You review the price before
              anything changes.
            </p>
            <button>Review change</button>
          </Form>
        </>
      ),
    });
  };
}

import joi from 'joi';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRoom, listRooms } from '../../../db/queries/rooms/room.js';
import { isRunning, whyNotChange } from '../../../domain/bookings/change.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
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
import type { ChangeForm } from './change-body.js';
import { TimeFields, timesInQuery, timesOf } from '../shared/time-fields.js';
import { detailsForm } from './details.js';
import { DifferenceInputs } from './take-difference.js';
import { ENGLISH } from '../../../domain/words/words.js';

const MAX_ROOMS = 200;

export const changeQuery = joi.object({ ...timesQuery, ...timesInQuery, room_id: text(64) });

/** `GET /dashboard/:workspace/bookings/:id/change`: the form to move, lengthen or edit a booking. */
export function showChange(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    const { workspace_id, time_zone, currency } = booking;
    const room = (await findRoom(deps.db.manager, workspace_id, booking.room_id))!;
    const now = Date.now();
    const byStaff = can(ctx.state.membership!.role, 'all_bookings');
    const lengthens = byStaff && isRunning(booking, now);
    const refusal = whyNotChange(booking, room, now, { moves: false, lengthens });
    if (refusal) throw new PageError(409, 'This booking cannot be changed', refusal.message);
    const query = (ctx.state.query ?? {}) as Partial<ChangeForm> & TimesQuery;
    const rooms = await listRooms(deps.db.manager, {
      workspace_id,
      include_archived: false,
      limit: MAX_ROOMS,
    });
    const offered = await offeredExtras(deps.db.manager, { ...room, currency }, { by_staff: byStaff });
    const extras = extraRows(ENGLISH, offered, {
      booked: booking,
      submitted: ctx.state.rejection && submittedExtras(ctx.state.rejection.submitted),
      amount: formatsOf(ctx).amount,
    });
    const options = rooms.map(({ id, name }) => [id, name] as const);
    if (!rooms.some(({ id }) => id === booking.room_id))
      options.unshift([booking.room_id, booking.room_name]);
    // Why room and start stay as they are, and the end too unless it can be later.
    const fixed = whyNotChange(booking, room, now, { moves: true });
    const { end_at, exact_end } = query;
    const entered = fixed ? end_at && lengthens && { end_at, exact_end } : query;
    const asked = { room_id: booking.room_id, ...timesOf(booking), ...entered };
    const times = fixed
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
            {fixed ? (
              <FixedPlace ctx={ctx} booking={booking} lengthens={lengthens} why={fixed.message} />
            ) : (
              <Select name="room_id" label="Room" options={options} chosen={[asked.room_id]} />
            )}
            <TimeFields of={asked} fixed={fixed ? (lengthens ? 'start' : 'both') : undefined} />
            <detailsForm.Inputs of={booking} />
            {(!fixed || lengthens) && <ExtraInputs rows={extras} />}
            {byStaff && booking.status === 'confirmed' && <DifferenceInputs booking={booking} />}
            {!byStaff && booking.processor_payment_intent_id !== null && (
              <Choice name="pay_by_link">
                If the price rises, pay with a link instead of charging the card that you paid with
              </Choice>
            )}
            <button>Review change</button>
            <p class="hint">
              Times are in the room’s time zone{otherZone(ctx, time_zone)}. You review the price before
              anything changes.
            </p>
          </Form>
        </>
      ),
    });
  };
}

/** The room and the times of a booking as facts, with the reason why they stay. */
function FixedPlace(props: { ctx: ApiContext; booking: BookingRow; lengthens: boolean; why: string }) {
  const { ctx, booking, lengthens, why } = props;
  const { moment } = formatsOf(ctx, booking.time_zone);
  return (
    <>
      <input type="hidden" name="room_id" value={booking.room_id} />
      <dl class="facts">
        <dt>Room</dt>
        <dd>{booking.room_name}</dd>
        <dt>Start</dt>
        <dd>{moment(booking.start_at)}</dd>
        {!lengthens && (
          <>
            <dt>End</dt>
            <dd>{moment(booking.end_at)}</dd>
          </>
        )}
      </dl>
      <p class="hint">
        {why}
        {lengthens && ' The end of one that has begun can be later, and its extras can change.'}
      </p>
    </>
  );
}

import joi from 'joi';
import type { ComponentChildren } from 'preact';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { text } from '../../../api/http/fields.js';
import { findMember } from '../../../db/queries/members/member.js';
import { findRoom, listRooms } from '../../../db/queries/rooms/room.js';
import { isRunning, whyNotChange } from '../../../domain/bookings/change.js';
import { allowsTier } from '../../../domain/bookings/slots.js';
import { can } from '../../../domain/policies.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { PageError } from '../../ui/browser.js';
import { extraRows, extrasKept, offeredExtras, submittedExtras } from '../../ui/extras.js';
import { createFormats, otherZone } from '../../ui/formats.js';
import { freeTimes, timesQuery, type TimesQuery } from '../calendar/free-times.js';
import { roomIn } from '../calendar/room-in.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { Form } from '../shared/form.js';
import { timesInQuery, toEnteredTimes } from '../shared/time-fields.js';
import { requireVisibleBooking, bookingPath } from './booking-in-path.js';
import { changeForm, type Changing } from './change.js';

interface ChangePage extends Changing {
  /** The free times that fill in the form, and whether they are open. */
  times: ComponentChildren;
  isOpen: boolean;
}

async function findChangePage(
  { ctx, membership: { role }, query }: PageRequest,
  deps: ApiDependencies,
): Promise<ChangePage> {
  const { manager } = deps.db;
  const booking = await requireVisibleBooking(ctx, deps);
  const { workspace_id, currency } = booking;
  const room = (await findRoom(manager, workspace_id, booking.room_id))!;
  const now = Date.now();
  const byStaff = can(role, 'all_bookings');
  const lengthens = byStaff && isRunning(booking, now);
  const refusal = whyNotChange(booking, room, now, { moves: false, lengthens });
  if (refusal) throw new PageError(409, 'This booking cannot be changed', refusal.message);
  const booker = booking.member_id && (await findMember(manager, workspace_id, booking.member_id));
  const rooms = (await listRooms(manager, { workspace_id, include_archived: false })).filter((each) =>
    allowsTier(each, booker ? booker.tier : null),
  );
  const offered = await offeredExtras(manager, { ...room, currency }, { by_staff: byStaff });
  const extras = extraRows(ENGLISH, offered, {
    booked: booking,
    kept: await extrasKept(manager, booking, { by_staff: byStaff }),
    submitted: ctx.state.rejection && submittedExtras(ctx.state.rejection.submitted),
    amount: createFormats(ctx).amount,
  });
  const options = rooms.map(({ id, name }) => [id, name] as const);
  if (!rooms.some(({ id }) => id === booking.room_id)) options.unshift([booking.room_id, booking.room_name]);
  const fixed = whyNotChange(booking, room, now, { moves: true });
  const { end_at, exact_end } = query;
  const entered: TimesQuery = fixed ? (end_at && lengthens ? { end_at, exact_end } : {}) : query;
  const asked = { room_id: booking.room_id, ...toEnteredTimes(booking), ...entered };
  // Another room is asked for if it was archived since the link was made, or the booker may not book it.
  const room_id = options.some(([id]) => id === asked.room_id) ? asked.room_id : '';
  return {
    booking,
    to: room,
    times: fixed
      ? null
      : await freeTimes(ctx, deps, rooms, asked, { at: `${bookingPath(ctx)}/change`, moved: booking }),
    isOpen: Boolean(query.day),
    shown: {
      asked: { ...asked, room_id },
      rooms: options,
      extras,
      byStaff,
      fixed: fixed?.message ?? null,
      lengthens,
    },
  };
}

function Change(props: PageProps<ChangePage>) {
  const { ctx, at, data } = props;
  const { booking, times, isOpen } = data;
  return (
    <>
      <p>
        {booking.room_name}, {createFormats(ctx).span(booking)}.{' '}
        <a href={pathIn(ctx, bookingPath(ctx))}>Back to booking</a>
      </p>
      {times && (
        <details class="action" open={isOpen}>
          <summary>Show free times</summary>
          {times}
        </details>
      )}
      <Form class="card" ctx={ctx} action={pathIn(ctx, at)} once>
        <changeForm.Inputs page={props} />
        <button>Review change</button>
        <p class="hint">
          Times are in the room’s time zone{otherZone(ctx, booking.time_zone)}. You review the price before
          anything changes.
        </p>
      </Form>
    </>
  );
}

export const changePage = page({
  path: '/bookings/:id/change',
  capability: 'own_bookings',
  query: joi.object({ ...timesQuery, ...timesInQuery, room_id: text(64) }),
  title: 'Change booking',
  async find({ ctx }, deps): Promise<Changing> {
    const { room_id } = ctx.state.body as { room_id: string };
    return { booking: await requireVisibleBooking(ctx, deps), to: await roomIn(ctx, deps, room_id) };
  },
  load: findChangePage,
  view: Change,
  forms: [changeForm],
});

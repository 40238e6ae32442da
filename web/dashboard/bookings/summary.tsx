import { findBookingMoney } from '../../../db/queries/bookings/money.js';
import { findPendingChange, findUnsettledChange } from '../../../db/queries/bookings/booking-change.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { whyNotCancel } from '../../../domain/bookings/cancellation.js';
import { isRunning, whyNotChange } from '../../../domain/bookings/change.js';
import { bookingState } from '../../../domain/bookings/state.js';
import { whyNotMarkNoShow } from '../../../domain/bookings/no-show.js';
import { whyNotAnotherChange } from '../../../domain/bookings/pending-change.js';
import { hasEnded } from '../../../domain/states.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { FactCard } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { toBooker, Countdown } from '../shared/booking-table.js';
import { Status } from '../shared/status.js';
import { createFormats, otherZone } from '../../ui/formats.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { requireVisibleBooking, onBooking, bookingPath } from './booking-in-path.js';
import { cancelForm, findCancelling } from './cancel.js';
import { NoShow } from './booking-actions.js';
import { isPayableAtDesk, takePaymentForm } from './take-payment.js';

async function findSummary(request: PageRequest, deps: ApiDependencies) {
  const booking = await requireVisibleBooking(request.ctx, deps);
  const { workspace_id, price_minor } = booking;
  const { manager } = deps.db;
  const isOpen = booking.status === 'pending_payment';
  const [members, room, unsettled, change, money] = await Promise.all([
    findBookingMembers(manager, workspace_id, [booking]),
    findRoom(manager, workspace_id, booking.room_id),
    findUnsettledChange(manager, booking.id),
    findPendingChange(manager, booking.id),
    isOpen ? null : findBookingMoney(manager, booking.id),
  ]);
  const now = new Date();
  const lengthens = isRunning(booking, now.getTime());
  return {
    booking,
    who: toBooker(booking, members),
    state: bookingState(booking, now),
    change,
    due: isOpen ? price_minor : hasEnded(booking.status) ? 0 : (money?.owed_minor ?? 0),
    lengthens,
    changes:
      !whyNotAnotherChange(unsettled) &&
      !whyNotChange(booking, room!, now.getTime(), { moves: false, lengthens }),
    markable: !whyNotMarkNoShow(booking, now),
    cancelling: whyNotCancel(booking, now) ? null : await findCancelling(request, deps, booking),
  };
}

function Summary({ ctx, data }: PageProps<Awaited<ReturnType<typeof findSummary>>>) {
  const { booking, who, state, change, due, lengthens, changes, cancelling } = data;
  const { currency, price_minor, expires_at } = booking;
  const { amount, deadline, span } = createFormats(ctx, booking.time_zone);
  const isOpen = booking.status === 'pending_payment';
  const path = pathIn(ctx, bookingPath(ctx));
  return (
    <div class="summary">
      <FactCard
        of={[
          ['When', `${span(booking)}${otherZone(ctx, booking.time_zone)}`],
          ['Room', booking.room_name],
          [
            'Status',
            <>
              <Status value={state} />
              {isOpen && expires_at && (
                <>
                  {' '}
                  Held until {deadline(expires_at)} <Countdown until={expires_at} />
                </>
              )}
            </>,
          ],
          ['Price', amount(price_minor, currency)],
          ['Due', due > 0 ? <strong>{amount(due, currency)}</strong> : 'Nothing'],
          change && ['To pay for change', <strong>{amount(change.amount_minor, currency)}</strong>],
          who.email && ['Email', <a href={`mailto:${who.email}`}>{who.email}</a>],
          booking.notes && ['Notes', booking.notes],
        ]}
      />
      <div class="do">
        <a class="button" href={path}>
          Open booking
        </a>
        {changes && (
          <a class="button quiet" href={`${path}/change`}>
            {lengthens ? 'Extend booking' : 'Change booking'}
          </a>
        )}
        {isPayableAtDesk(booking, change) && (
          <takePaymentForm.Drawer page={onBooking(ctx, { booking, change })} icon="payment" />
        )}
        {data.markable && <NoShow page={onBooking(ctx, { booking })} />}
        {cancelling && <cancelForm.Drawer page={onBooking(ctx, data)} quiet />}
      </div>
    </div>
  );
}

/** A booking at a glance for the desk, with its actions. The calendar shows it in a dialog. */
export const summaryPage = page({
  path: '/bookings/:id/summary',
  capability: 'all_bookings',
  at: '/calendar',
  title: ({ who }) => who.name ?? 'Erased booker',
  load: findSummary,
  view: Summary,
});

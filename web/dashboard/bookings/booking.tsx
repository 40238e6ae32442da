import { findBookingMoney } from '../../../db/queries/bookings/money.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findInvoice } from '../../../db/queries/invoices/invoice.js';
import { listPayments } from '../../../db/queries/payments/payment.js';
import { findPendingChange, findUnsettledChange } from '../../../db/queries/bookings/booking-change.js';
import { listTimeline } from '../../../db/queries/bookings/timeline.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { arrivalOf } from '../../../domain/rooms/arrival.js';
import { whyNotCancel } from '../../../domain/bookings/cancellation.js';
import { isRunning, whyNotChange } from '../../../domain/bookings/change.js';
import { describeMoney } from '../../../domain/bookings/money.js';
import { whyNotMarkNoShow } from '../../../domain/bookings/no-show.js';
import { whyNotAnotherChange } from '../../../domain/bookings/pending-change.js';
import { can } from '../../../domain/policies.js';
import { hasEnded } from '../../../domain/states.js';
import { workflowIds } from '../../../contract/names.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { findAttention, readStates } from '../shared/attention/items.js';
import { Form } from '../shared/form.js';
import { formatsOf } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { bookingOf } from './booking-in-path.js';
import { cancelAction } from './cancel.js';
import { BookingPayments } from './booking-payments.js';
import { bookerOf } from '../shared/booking-table.js';
import { CorrectGuest } from './guest.js';
import { PayerActions } from './payer-actions.js';
import { findRunState, Run, runUrl } from '../shared/attention/run.js';
import { PendingChangeCard } from './pending-change.js';
import { Timeline } from './timeline.js';
import { pathIn } from '../shared/api-form.js';
import { BookingFacts } from './booking-facts.js';
import { FailingRefunds, findFailingRefunds } from './failing-refunds.js';
import { TakePayment } from './take-payment.js';
import { NoShowAction } from './no-show.js';
import { ENGLISH } from '../../../domain/words/words.js';

const MAX_PAYMENTS = 50;

/** `GET /dashboard/:workspace/bookings/:id`: a booking with its run, payments, timeline and actions. */
export function showBooking(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, workspace_name, time_zone, role } = ctx.state.membership!;
    const booking = await bookingOf(ctx, deps);
    const formats = formatsOf(ctx, booking.time_zone);
    const { manager } = deps.db;
    const path = pathIn(ctx, `/bookings/${booking.id}`);
    const seesAll = can(role, 'all_bookings');
    const live = !hasEnded(booking.status);
    const [timeline, payments, members, attention, run, money, change, unsettled, room, invoice] =
      await Promise.all([
        listTimeline(manager, workspace_id, booking.id),
        listPayments(manager, { workspace_id, booking_id: booking.id, limit: MAX_PAYMENTS }),
        findBookingMembers(manager, workspace_id, [booking]),
        findAttention(deps, workspace_id, { booking_id: booking.id }),
        seesAll ? findRunState(deps, workflowIds.booking(booking.id)) : null,
        live && booking.account_days === null ? null : findBookingMoney(manager, booking.id),
        findPendingChange(manager, booking.id),
        findUnsettledChange(manager, booking.id),
        findRoom(manager, workspace_id, booking.room_id),
        booking.invoice_id ? findInvoice(manager, workspace_id, booking.invoice_id) : null,
      ]);
    const movesTo = change && (await findRoom(manager, workspace_id, change.plan.move!.room_id));
    // The booking's own run has a part of the page for itself.
    const states = seesAll
      ? await readStates(
          deps,
          attention.filter(({ refund_id }) => refund_id),
        )
      : undefined;
    const refunds = seesAll ? await findFailingRefunds(deps, payments, attention) : [];
    const who = bookerOf(booking, members);
    const now = new Date();
    const lengthens = seesAll && isRunning(booking, now.getTime());
    // With `moves`, the reason of an unpaid booking is that it is unpaid.
    const whyNot = (moves: boolean) => whyNotChange(booking, room!, now.getTime(), { moves, lengthens });
    const unchangeable = whyNot(false);
    const changeable = !whyNotAnotherChange(unsettled) && !unchangeable;
    const markable = seesAll && !whyNotMarkNoShow(booking, now);
    showSection(ctx, {
      title: `${booking.room_name} · ${formats.moment(booking.start_at)}`,
      at: '/bookings',
      children: (
        <>
          {booking.time_zone !== time_zone && (
            <p class="soft">Times on this page are in {booking.time_zone}.</p>
          )}
          {seesAll && <AttentionList ctx={ctx} deps={deps} items={attention} states={states} />}
          <FailingRefunds of={refunds} formats={formats} />
          <BookingFacts
            ctx={ctx}
            booking={booking}
            who={who}
            invoice={invoice}
            timeline={timeline}
            owed_minor={live && money ? money.owed_minor : 0}
            arrival={arrivalOf(booking.status, room!)}
            run={seesAll ? runUrl(ctx, deps, workflowIds.booking(booking.id)) : null}
          />
          {run && <Run state={run} live={live} moment={formats.moment} />}
          {change && movesTo && (
            <PendingChangeCard
              ctx={ctx}
              booking={booking}
              pending={change}
              room={movesTo}
              email={who.email}
              takes_payments={seesAll}
            />
          )}
          {live && unchangeable && <p class="soft">{whyNot(true)!.message}</p>}
          <div class="do">
            {changeable && (
              <a class="button" href={`${path}/change`}>
                {lengthens ? 'Lengthen booking' : 'Change booking'}
              </a>
            )}
            {seesAll && (change || isPaidByCard(booking)) && <CheckPayment ctx={ctx} path={path} />}
          </div>
          {seesAll && <TakePayment ctx={ctx} booking={booking} />}
          {markable && <NoShowAction ctx={ctx} booking={booking} />}
          {seesAll && <CorrectGuest ctx={ctx} booking={booking} />}
          {seesAll && <PayerActions ctx={ctx} deps={deps} booking={booking} email={who.email} />}
          {!whyNotCancel(booking, now) && (await cancelAction(ctx, deps, booking))}
          <h2>Payments</h2>
          {money && !live && (
            <p id="money">{describeMoney(ENGLISH, money, workspace_name, formats.money).join(' ')}</p>
          )}
          <BookingPayments
            ctx={ctx}
            payments={payments}
            timeline={timeline}
            linked={can(role, 'read_billing')}
          />
          <h2>Timeline</h2>
          <Timeline entries={timeline} booking={booking} formats={formats} isBooker={!seesAll} />
        </>
      ),
    });
  };
}

/** Whether the processor may know of a payment that is not known here. */
const isPaidByCard = ({ account_days, paid_at_desk, price_minor }: BookingRow): boolean =>
  account_days === null && !paid_at_desk && price_minor > 0;

function CheckPayment({ ctx, path }: { ctx: ApiContext; path: string }) {
  return (
    <Form class="actions" ctx={ctx} action={`${path}/ask`}>
      <button class="quiet">Check payment now</button>
    </Form>
  );
}

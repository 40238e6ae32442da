import { findBookingMoney } from '../../../db/queries/bookings/money.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findInvoice } from '../../../db/queries/invoices/invoice.js';
import { listPayments } from '../../../db/queries/payments/payment.js';
import { findPendingChange, findUnsettledChange } from '../../../db/queries/bookings/booking-change.js';
import { listTimeline } from '../../../db/queries/bookings/timeline.js';
import { isUnproven } from '../../../db/queries/mail/unproven-booking.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { visibleArrival } from '../../../domain/rooms/arrival.js';
import { whyNotCancel } from '../../../domain/bookings/cancellation.js';
import { isRunning, whyNotChange } from '../../../domain/bookings/change.js';
import { describeMoney } from '../../../domain/bookings/money.js';
import { whyNotMarkNoShow } from '../../../domain/bookings/no-show.js';
import { whyNotAnotherChange } from '../../../domain/bookings/pending-change.js';
import { can } from '../../../domain/policies.js';
import { hasEnded } from '../../../domain/states.js';
import { workflowIds } from '../../../contract/names.js';
import { changeBooking } from '../../../api/resources/bookings/update.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { findAttention, readStates } from '../shared/attention/items.js';
import { createFormats } from '../../ui/formats.js';
import { requireVisibleBooking, type OneBooking } from './booking-in-path.js';
import { cancelForm, findCancelling } from './cancel.js';
import { BookingPayments } from './booking-payments.js';
import { toBooker } from '../shared/booking-table.js';
import { askForm } from './ask-processor.js';
import { bookerActions, bookerForms, NoShow } from './booking-actions.js';
import { Details } from '../shared/action.js';
import { Id } from '../shared/id.js';
import { metadataForm, MetadataSection } from '../forms/metadata.js';
import { MenuItem, MoreMenu } from '../shared/menu.js';
import { page, type PageProps, type PageRequest } from '../forms/page.js';
import { findRunState, RunStatus, runUrl } from '../shared/attention/run.js';
import { payingForms, PendingChangeCard } from './pending-change.js';
import { Timeline } from './timeline.js';
import { pathIn } from '../shared/paths.js';
import { BookingFacts } from './booking-facts.js';
import { FailingRefunds, findFailingRefunds } from './failing-refunds.js';
import { isPayableAtDesk, takePaymentForm } from './take-payment.js';
import { ENGLISH } from '../../../domain/words/words.js';

const MAX_PAYMENTS = 50;

/** A booking with its run, payments and timeline, and with what can be done about it. */
async function findBookingPage(request: PageRequest, deps: ApiDependencies) {
  const { ctx, membership } = request;
  const { workspace_id, role } = membership;
  const booking = await requireVisibleBooking(ctx, deps);
  const { manager } = deps.db;
  const { id: booking_id } = booking;
  const seesAll = can(role, 'all_bookings');
  const live = !hasEnded(booking.status);
  const [timeline, payments, members, attention, run, money, change, unsettled, room, invoice, is_unproven] =
    await Promise.all([
      listTimeline(manager, workspace_id, booking_id),
      listPayments(manager, { workspace_id, booking_id, limit: MAX_PAYMENTS }),
      findBookingMembers(manager, workspace_id, [booking]),
      findAttention(deps, workspace_id, { booking_id }),
      seesAll ? findRunState(deps, workflowIds.booking(booking_id)) : null,
      live && booking.account_days === null ? null : findBookingMoney(manager, booking_id),
      findPendingChange(manager, booking_id),
      findUnsettledChange(manager, booking_id),
      findRoom(manager, workspace_id, booking.room_id),
      booking.invoice_id ? findInvoice(manager, workspace_id, booking.invoice_id) : null,
      isUnproven(manager, booking_id),
    ]);
  // Only runs of refunds: the booking's own run has its own section on the page.
  const states = seesAll
    ? await readStates(
        deps,
        attention.filter(({ refund_id }) => refund_id),
      )
    : undefined;
  const now = new Date();
  const lengthens = seesAll && isRunning(booking, now.getTime());
  // With `moves`, the reason given for an unpaid booking is that it is unpaid.
  const whyNot = (moves: boolean) => whyNotChange(booking, room!, now.getTime(), { moves, lengthens });
  return {
    booking,
    who: toBooker(booking, members),
    seesAll,
    live,
    timeline,
    payments,
    run,
    runUrl: seesAll ? runUrl(ctx, deps, workflowIds.booking(booking_id)) : null,
    money,
    change,
    movesTo: change && (await findRoom(manager, workspace_id, change.plan.move!.room_id)),
    invoice,
    arrival: visibleArrival(booking.status, room!),
    attention: seesAll && <AttentionList ctx={ctx} deps={deps} items={attention} states={states} />,
    refunds: seesAll ? await findFailingRefunds(deps, payments, attention) : [],
    link: deps.manageLinks.linkTo(booking),
    is_unproven,
    lengthens,
    changeable: !whyNotAnotherChange(unsettled) && !whyNot(false),
    whyUnchangeable: live && whyNot(false) ? whyNot(true)!.message : null,
    markable: seesAll && !whyNotMarkNoShow(booking, now),
    cancelling: whyNotCancel(booking, now) ? null : await findCancelling(request, deps, booking),
  };
}

const editMetadata = metadataForm(changeBooking, ({ booking }: OneBooking) => booking, 'all_bookings');

type BookingPage = Awaited<ReturnType<typeof findBookingPage>>;

const takesPayment = ({ booking, change, seesAll }: BookingPage): boolean =>
  seesAll && isPayableAtDesk(booking, change);

/** What the booking's state calls for, as buttons, and a menu of what else can be done with it. */
function Actions({ ctx, at, data }: PageProps<BookingPage>) {
  const { booking, who, seesAll, change, changeable, link, is_unproven } = data;
  const one = { ctx, at, data: { booking } };
  const pays = takesPayment(data);
  const changing = (
    <a class={pays ? 'button quiet' : 'button'} href={pathIn(ctx, `${at}/change`)}>
      {data.lengthens ? 'Extend booking' : 'Change booking'}
    </a>
  );
  return (
    <div class="do">
      {pays && <takePaymentForm.Drawer page={{ ctx, at, data }} icon="payment" />}
      {!pays && changeable && changing}
      {data.markable && <NoShow page={one} />}
      <MoreMenu>
        {pays && changeable && <MenuItem>{changing}</MenuItem>}
        {seesAll && (change || isPaidByCard(booking)) && (
          <MenuItem>
            <askForm.Button page={one} quiet />
          </MenuItem>
        )}
        {seesAll && bookerActions({ ...one, data: { booking, email: who.email, link, is_unproven } })}
        {data.cancelling && <cancelForm.Drawer page={{ ctx, at, data }} quiet />}
      </MoreMenu>
    </div>
  );
}

function Booking({ ctx, at, data }: PageProps<BookingPage>) {
  const { workspace_name, time_zone, role } = ctx.state.membership!;
  const { booking, who, seesAll, live, timeline, money, change, movesTo } = data;
  const formats = createFormats(ctx, booking.time_zone);
  const one = { ctx, at, data: { booking } };
  return (
    <>
      {booking.time_zone !== time_zone && <p class="soft">Times on this page are in {booking.time_zone}.</p>}
      {data.attention}
      <FailingRefunds ctx={ctx} of={data.refunds} />
      <div class="columns">
        <aside>
          <BookingFacts
            ctx={ctx}
            booking={booking}
            who={who}
            invoice={data.invoice}
            timeline={timeline}
            owed_minor={live && money ? money.owed_minor : 0}
            arrival={data.arrival}
          />
        </aside>
        <div>
          {data.run && <RunStatus ctx={ctx} state={data.run} live={live} moment={formats.moment} />}
          {change && movesTo && (
            <PendingChangeCard
              ctx={ctx}
              booking={booking}
              pending={change}
              room={movesTo}
              timeline={timeline}
              takes_payments={seesAll}
            />
          )}
          {data.whyUnchangeable && <p class="soft">{data.whyUnchangeable}</p>}
          <h2>Payments</h2>
          {money && !live && (
            <p id="money">{describeMoney(ENGLISH, money, workspace_name, formats.money).join(' ')}</p>
          )}
          <BookingPayments
            ctx={ctx}
            payments={data.payments}
            timeline={timeline}
            linked={can(role, 'read_billing')}
          />
          <h2>Timeline</h2>
          <Timeline entries={timeline} booking={booking} formats={formats} isBooker={!seesAll} />
        </div>
      </div>
      <MetadataSection page={one} of={booking.metadata} form={editMetadata} />
      <Details
        of={[
          ['Booking', <Id of={booking.id} />],
          ...data.payments.map(({ id }) => ['Payment', <Id of={id} />] as const),
          data.runUrl && ['Run', <a href={data.runUrl}>Open in Temporal</a>],
        ]}
      />
    </>
  );
}

/** Whether the processor may know of a payment that is not known here. */
const isPaidByCard = ({ account_days, paid_at_desk, price_minor }: BookingRow): boolean =>
  account_days === null && !paid_at_desk && price_minor > 0;

export const bookingPage = page({
  path: '/bookings/:id',
  capability: 'own_bookings',
  title: ({ booking }, ctx) =>
    `${booking.room_name} · ${createFormats(ctx, booking.time_zone).moment(booking.start_at)}`,
  async find({ ctx }, deps) {
    const booking = await requireVisibleBooking(ctx, deps);
    const { pending_change_id } = ctx.state.body as { pending_change_id?: string };
    const change = pending_change_id ? await findPendingChange(deps.db.manager, booking.id) : null;
    return { booking, change, cancelling: null };
  },
  load: findBookingPage,
  primary: Actions,
  view: Booking,
  forms: [cancelForm, ...payingForms, ...bookerForms, askForm, editMetadata],
});

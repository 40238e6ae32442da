import type { ComponentChildren } from 'preact';
import { findBookingMoney } from '../../../db/queries/billing/booking-money.js';
import { listPayments, type PaymentRow } from '../../../db/queries/billing/payment.js';
import { findPendingChange, findUnsettledChange } from '../../../db/queries/bookings/booking-change.js';
import { listTimeline, type TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import type { AttentionItem } from '../../../db/queries/workspaces/attention.js';
import { whyNotCancel } from '../../../domain/booking-cancellation.js';
import { whyNotChange } from '../../../domain/booking-change.js';
import { describeMoney } from '../../../domain/booking-money.js';
import { whyNotMarkNoShow } from '../../../domain/no-show.js';
import { whyNotAnotherChange } from '../../../domain/pending-change.js';
import { can } from '../../../domain/policies.js';
import { hasEnded } from '../../../domain/states.js';
import { workflowIds } from '../../../contract/index.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { AttentionList } from '../shared/attention/attention-list.js';
import { findAttention, readStates } from '../shared/attention/items.js';
import { Action, Facts } from '../shared/action.js';
import { Form } from '../shared/form.js';
import { Id } from '../shared/id.js';
import { formatsOf } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { showSection } from '../shared/workspace.js';
import { bookingOf } from './booking-in-path.js';
import { cancelAction } from './cancel.js';
import { BookingPayments } from './booking-payments.js';
import { bookerOf, Countdown } from '../shared/booking-table.js';
import { PayerActions } from './payer-actions.js';
import { FailingStepText, findRunState, Run, runUrl } from '../shared/attention/run.js';
import { CheckoutLink, PendingChangeCard } from './pending-change.js';
import { Timeline } from './timeline.js';

const MAX_PAYMENTS = 50;
/** How many refunds are asked for what fails: each is two calls to Temporal. */
const MAX_REFUNDS_READ = 10;

/** The refunds whose request fails and that are not in the list of what needs attention yet. */
async function failingRefunds(deps: ApiDependencies, payments: PaymentRow[], attention: AttentionItem[]) {
  const listed = new Set(attention.map(({ refund_id }) => refund_id));
  const refunds = payments.filter(
    ({ id, kind, status }) => kind === 'refund' && status === 'pending' && !listed.has(id),
  );
  const found = await Promise.all(
    refunds.slice(0, MAX_REFUNDS_READ).map(async (refund) => {
      const state = await findRunState(deps, workflowIds.refund(refund.id));
      return { refund, failing: typeof state === 'object' ? state.failing : [] };
    }),
  );
  return found.filter(({ failing }) => failing.length > 0);
}

/** Whether the payer has the checkout's link by mail, or gets it. */
function mailOf(timeline: TimelineEntry[], email: string | null | undefined): 'sent' | 'queued' | null {
  const mails = timeline.flatMap((entry) => (entry.kind === 'mail' ? [entry.facts] : []));
  const held = mails.filter(({ kind }) => kind === 'booking_held');
  if (held.some(({ status }) => status === 'sent')) return 'sent';
  return email && held.every(({ status }) => status !== 'failed') ? 'queued' : null;
}

/** `GET /dashboard/:workspace/bookings/:id`: a booking with its run, payments, timeline and actions. */
export function showBooking(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, workspace_name, role } = ctx.state.membership!;
    const booking = await bookingOf(ctx, deps);
    const formats = formatsOf(ctx, booking.time_zone);
    const { amount, moment } = formats;
    const { manager } = deps.db;
    const home = `/dashboard/${workspace_id}`;
    const path = `${home}/bookings/${booking.id}`;
    const seesAll = can(role, 'all_bookings');
    const live = !hasEnded(booking.status);
    const [timeline, payments, members, attention, run, money, change, unsettled, room] = await Promise.all([
      listTimeline(manager, workspace_id, booking.id),
      listPayments(manager, { workspace_id, booking_id: booking.id, limit: MAX_PAYMENTS }),
      findBookingMembers(manager, workspace_id, [booking]),
      findAttention(deps, workspace_id, { booking_id: booking.id }),
      seesAll ? findRunState(deps, workflowIds.booking(booking.id)) : null,
      live && booking.account_days === null ? null : findBookingMoney(manager, booking.id),
      findPendingChange(manager, booking.id),
      findUnsettledChange(manager, booking.id),
      findRoom(manager, workspace_id, booking.room_id),
    ]);
    const movesTo = change && (await findRoom(manager, workspace_id, change.plan.move!.room_id));
    // The booking's own run has a part of the page for itself.
    const states = seesAll
      ? await readStates(
          deps,
          attention.filter(({ refund_id }) => refund_id),
        )
      : undefined;
    const refunds = seesAll ? await failingRefunds(deps, payments, attention) : [];
    const now = new Date();
    const changeable =
      !whyNotAnotherChange(unsettled) && !whyNotChange(booking, room!, now.getTime(), { moves: false });
    const markable = seesAll && !booking.no_show_at && !whyNotMarkNoShow(booking, now);
    const url = seesAll ? runUrl(deps, workflowIds.booking(booking.id)) : null;
    showSection(ctx, {
      title: booking.room_name,
      at: '/bookings',
      children: (
        <>
          {seesAll && <AttentionList ctx={ctx} deps={deps} items={attention} states={states} />}
          {refunds.map(({ refund, failing }) => (
            <article class="card trouble" key={refund.id}>
              <strong>A refund keeps failing: {formats.money(refund)}</strong>
              {failing.map((step) => (
                <FailingStepText key={step.step} of={step} moment={moment} />
              ))}
            </article>
          ))}
          <Facts of={factsOf()} />
          {run && <Run state={run} live={live} moment={moment} />}
          {change && movesTo && (
            <PendingChangeCard
              ctx={ctx}
              booking={booking}
              pending={change}
              room={movesTo}
              email={bookerOf(booking, members).email}
            />
          )}
          <div class="do">
            {changeable && (
              <a class="button" href={`${path}/change`}>
                Change booking
              </a>
            )}
            {seesAll && <AskProcessor ctx={ctx} path={path} />}
          </div>
          {markable && (
            <Action
              ctx={ctx}
              action={`${path}/no-show`}
              summary="Mark as no-show"
              button="Mark as no-show"
              rare
            >
              <p class="soft">Nothing is refunded. This cannot be undone.</p>
            </Action>
          )}
          {seesAll && (
            <PayerActions ctx={ctx} deps={deps} booking={booking} email={bookerOf(booking, members).email} />
          )}
          {!whyNotCancel(booking, now) && (await cancelAction(ctx, deps, booking))}
          <h2>Payments</h2>
          {money && !live && (
            <p id="money">{describeMoney(money, workspace_name, formats.money).join(' ')}</p>
          )}
          <BookingPayments
            ctx={ctx}
            payments={payments}
            timeline={timeline}
            linked={can(role, 'read_billing')}
          />
          <h2>Timeline</h2>
          <Timeline entries={timeline} booking={booking} formats={formats} />
        </>
      ),
    });

    function factsOf(): (readonly [string, ComponentChildren] | false | null | '')[] {
      const who = bookerOf(booking, members);
      const pending = booking.status === 'pending_payment';
      return [
        ['Status', <Status value={booking.no_show_at ? 'no_show' : booking.status} />],
        pending &&
          booking.expires_at && [
            'Held until',
            <>
              {moment(booking.expires_at)} <Countdown until={booking.expires_at} />
            </>,
          ],
        ['When', `${formats.span(booking)} (${booking.time_zone})`],
        [
          'Booked by',
          !who.name ? (
            'erased'
          ) : booking.member_id && can(role, 'read_others') ? (
            <a href={`${home}/members/${booking.member_id}`}>
              {who.name} ({who.email})
            </a>
          ) : (
            `${who.name} (${who.email})`
          ),
        ],
        ['Price', amount(booking.price_minor, booking.currency)],
        live &&
          money !== null &&
          money.owed_minor > 0 && ['To pay', `${amount(money.owed_minor, booking.currency)}, on account`],
        booking.hour_credits_used > 0 && ['Hour credits', `${booking.hour_credits_used} used`],
        ['Attendees', booking.attendees],
        booking.notes && ['Notes', booking.notes],
        pending &&
          booking.checkout_url && [
            'Checkout link',
            <CheckoutLink url={booking.checkout_url} mail={mailOf(timeline, who.email)} />,
          ],
        ['Booking', <Id of={booking.id} />],
        booking.invoice_id && [
          'Invoice',
          can(role, 'read_billing') ? (
            <a href={`${home}/invoices/${booking.invoice_id}`}>View invoice</a>
          ) : (
            <Id of={booking.invoice_id} />
          ),
        ],
        url && ['Run', <a href={url}>Open in Temporal</a>],
      ];
    }
  };
}

function AskProcessor({ ctx, path }: { ctx: ApiContext; path: string }) {
  return (
    <Form class="actions" ctx={ctx} action={`${path}/ask`}>
      <button class="quiet">Ask the processor now</button>
    </Form>
  );
}

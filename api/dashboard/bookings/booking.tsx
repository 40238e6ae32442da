import type { ComponentChildren } from 'preact';
import {
  listTimeline,
  type TimelineEntry,
  findBookingMembers,
} from '../../../db/repositories/workspaces/dashboard-queries.js';
import { listPayments, type PaymentRow } from '../../../db/repositories/billing/payment-queries.js';
import { formatMoney } from '../../../domain/money.js';
import { can } from '../../../domain/policies.js';
import { formatTime } from '../../../domain/presenters/booking.js';
import { BOOKING_TRANSITIONS, LIVE_BOOKING_STATUSES } from '../../../domain/states.js';
import { workflowIds } from '../../../workflows/contract.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { bookingOf, CancelForm } from './booking-actions.js';
import { bookerOf } from './booking-table.js';
import { Form } from '../shared/form.js';
import { formatAt, Status } from '../shared/layout.js';
import { findRunState, Run } from './run.js';
import { AttentionList, findAttention, runUrl } from '../overview/attention.js';
import { showSection } from '../shared/workspace.js';

const MAX_PAYMENTS = 50;

function Timeline({ entries, timeZone }: { entries: TimelineEntry[]; timeZone: string }) {
  return (
    <div class="scroll">
      <table>
        <tbody>
          {entries.map(({ at, what, amount_minor, currency, detail }) => (
            <tr key={`${at.getTime()} ${what}`}>
              <td class="soft">{formatAt(at, timeZone)}</td>
              <td>{what.replaceAll(/[._]/g, ' ')}</td>
              <td class="number">
                {amount_minor !== null && formatMoney({ amount_minor, currency: currency! })}
              </td>
              <td class="soft">{detail?.replaceAll('_', ' ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Payments({ payments }: { payments: PaymentRow[] }) {
  if (payments.length === 0) return <p class="soft">No payments.</p>;
  return (
    <div class="scroll">
      <table>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.id}>
              <td>{payment.kind.replaceAll('_', ' ')}</td>
              <td>
                <Status value={payment.status} />
              </td>
              <td class="number">
                {formatMoney({ amount_minor: payment.amount_minor, currency: payment.currency })}
              </td>
              <td>
                <code>{payment.id}</code>
                <br />
                <code class="soft">{payment.processor_payment_intent_id}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `GET /dashboard/:workspace/bookings/:id`: a booking with its run, payments, timeline and actions. */
export function showBooking(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, role } = ctx.state.membership!;
    const booking = await bookingOf(ctx, deps);
    const { manager } = deps.db;
    const home = `/dashboard/${workspace_id}`;
    const seesAll = can(role, 'all_bookings');
    const [timeline, payments, members, attention, run] = await Promise.all([
      listTimeline(manager, workspace_id, booking.id),
      listPayments(manager, { workspace_id, booking_id: booking.id, limit: MAX_PAYMENTS }),
      findBookingMembers(manager, workspace_id, [booking]),
      findAttention(deps, workspace_id, booking.id),
      seesAll ? findRunState(deps, workflowIds.booking(booking.id)) : null,
    ]);
    const now = new Date();
    const url = seesAll ? runUrl(deps, workflowIds.booking(booking.id)) : null;
    const live = LIVE_BOOKING_STATUSES.some((status) => status === booking.status);
    const statuses: readonly string[] = BOOKING_TRANSITIONS.cancel.from;
    const cancellable = statuses.includes(booking.status) && now < booking.end_at;
    const markable =
      seesAll && booking.status === 'confirmed' && now >= booking.start_at && !booking.no_show_at;
    const who = bookerOf(booking, members);
    const facts: [string, ComponentChildren][] = [
      ['Status', <Status value={booking.no_show_at ? 'no_show' : booking.status} />],
      ['When', formatTime(booking)],
      ['Booked by', who.name ? `${who.name} (${who.email})` : 'erased'],
      ['Price', formatMoney({ amount_minor: booking.price_minor, currency: booking.currency })],
      ['Attendees', booking.attendees],
      ['Notes', booking.notes || '—'],
      ['Booking', <code>{booking.id}</code>],
      ['Invoice', <code>{booking.invoice_id}</code>],
    ];
    if (booking.status === 'pending_payment' && booking.expires_at) {
      facts.splice(1, 0, ['Held until', formatAt(booking.expires_at, booking.time_zone)]);
      facts.push(['Checkout', <a href={booking.checkout_url!}>open the payer's page</a>]);
    }
    if (url) facts.push(['Run', <a href={url}>open in Temporal</a>]);
    showSection(ctx, {
      title: booking.room_name,
      at: '/bookings',
      children: (
        <>
          {seesAll && <AttentionList items={attention} home={home} timeZone={booking.time_zone} />}
          <dl class="facts card">
            {facts.map(([term, value]) => (
              <>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
          {run && <Run state={run} live={live} />}
          <h2>Payments</h2>
          <Payments payments={payments} />
          <h2>Timeline</h2>
          <Timeline entries={timeline} timeZone={booking.time_zone} />
          {markable && (
            <Form ctx={ctx} action={`${home}/bookings/${booking.id}/no-show`}>
              <h2>No-show</h2>
              <button class="quiet">Mark as no-show</button>
            </Form>
          )}
          {cancellable && <CancelForm ctx={ctx} booking={booking} />}
        </>
      ),
    });
  };
}

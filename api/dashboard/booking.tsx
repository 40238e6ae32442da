import type { ComponentChildren } from 'preact';
import joi from 'joi';
import { findBooking, type BookingRow } from '../../db/repositories/bookings.js';
import { findBooker, listHappenings, type Happening } from '../../db/repositories/dashboard.js';
import { listPayments, type PaymentRow } from '../../db/repositories/payments.js';
import { formatMoney } from '../../domain/money.js';
import { holds } from '../../domain/policies.js';
import { formatTime } from '../../domain/presenters/booking.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../domain/refund-policy.js';
import { BOOKING_TRANSITIONS } from '../../domain/states.js';
import { workflowIds } from '../../workflows/contract.js';
import type { ApiDependencies } from '../app.js';
import { cancelBooking } from '../bookings/cancel.js';
import { markNoShow } from '../bookings/no-show.js';
import { isBookingId } from '../bookings/schema.js';
import type { ApiContext, Handler } from '../http/context.js';
import { text } from '../http/validate.js';
import { PageError } from '../sign-in/browser.js';
import { Form } from '../sign-in/forms.js';
import { formatAt, Status } from './layout.js';
import { findTroubles, runAddress, Troubles } from './troubles.js';
import { showSection } from './workspace.js';

const MOST_PAYMENTS = 50;

export const cancelFields = {
  reason: text(1_000).allow(''),
  refund_policy: joi
    .string()
    .valid(...REFUND_POLICIES)
    .required(),
  notify_attendees: joi.string().valid('on'),
};

const POLICY_NAMES: Record<RefundPolicy, string> = {
  standard: "as the room's terms say",
  full: 'everything',
  none: 'nothing',
};

/** The booking in the path, if the person may see it. */
async function bookingOf(ctx: ApiContext, { db }: ApiDependencies): Promise<BookingRow> {
  const { workspace_id, role, member_id } = ctx.state.membership!;
  const { id } = ctx.params;
  const booking = isBookingId(id!) ? await findBooking(db.manager, workspace_id, id!) : null;
  if (!booking || !(booking.member_id === member_id || holds(role, 'all_bookings')))
    throw new PageError(404, 'There is no such booking', 'Look for it among the bookings.');
  return booking;
}

function Timeline({ happenings, timeZone }: { happenings: Happening[]; timeZone: string }) {
  return (
    <div class="scroll">
      <table>
        <tbody>
          {happenings.map(({ at, what, amount_minor, currency, detail }) => (
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
  if (payments.length === 0) return <p class="soft">No money has moved.</p>;
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

function CancelForm({ ctx, booking }: { ctx: ApiContext; booking: BookingRow }) {
  const { role, workspace_id } = ctx.state.membership!;
  const policies = REFUND_POLICIES.filter((policy) => policy !== 'full' || holds(role, 'all_bookings'));
  return (
    <>
      <h2>Cancel</h2>
      <Form
        class="card"
        action={`/dashboard/${workspace_id}/bookings/${booking.id}/cancel`}
        session={ctx.state.session}
      >
        <label for="reason">Reason</label>
        <input id="reason" name="reason" maxLength={1000} />
        <fieldset>
          <legend>Give back</legend>
          {policies.map((policy) => (
            <label class="choice" key={policy}>
              <input type="radio" name="refund_policy" value={policy} checked={policy === 'standard'} />{' '}
              {POLICY_NAMES[policy]}
            </label>
          ))}
        </fieldset>
        <label class="choice">
          <input type="checkbox" name="notify_attendees" checked /> send a mail about it
        </label>
        <button class="danger">Cancel this booking</button>
      </Form>
    </>
  );
}

/** A booking as an operator needs it: what it waits for, what happened, its money, its run, and what can be done. */
export function showBooking(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, role } = ctx.state.membership!;
    const booking = await bookingOf(ctx, deps);
    const { manager } = deps.db;
    const home = `/dashboard/${workspace_id}`;
    const [happenings, payments, booker, troubles] = await Promise.all([
      listHappenings(manager, workspace_id, booking.id),
      listPayments(manager, { workspace_id, booking_id: booking.id, limit: MOST_PAYMENTS }),
      booking.member_id ? findBooker(manager, workspace_id, booking.member_id) : null,
      findTroubles(deps, workspace_id, booking.id),
    ]);
    const now = new Date();
    const seesAll = holds(role, 'all_bookings');
    const run = seesAll ? runAddress(deps, workflowIds.booking(booking.id)) : null;
    const statuses: readonly string[] = BOOKING_TRANSITIONS.cancel.from;
    const cancellable = statuses.includes(booking.status) && now < booking.end_at;
    const markable =
      seesAll && booking.status === 'confirmed' && now >= booking.start_at && !booking.no_show_at;
    const who = booker ?? { name: booking.guest_name, email: booking.guest_email };
    const facts: [string, ComponentChildren][] = [
      ['Status', <Status value={booking.no_show_at ? 'no_show' : booking.status} />],
      ['When', formatTime(booking)],
      ['Who', who.name ? `${who.name} (${who.email})` : 'erased'],
      ['Price', formatMoney({ amount_minor: booking.price_minor, currency: booking.currency })],
      ['Attendees', booking.attendees],
      ['Notes', booking.notes || '—'],
      ['Booking', <code>{booking.id}</code>],
      ['Invoice', <code>{booking.invoice_id}</code>],
    ];
    if (booking.status === 'pending_payment' && booking.expires_at) {
      facts.splice(1, 0, ['Hold ends', formatAt(booking.expires_at, booking.time_zone)]);
      facts.push(['Checkout', <a href={booking.checkout_url!}>the payer's page</a>]);
    }
    if (run) facts.push(['Run', <a href={run}>open in Temporal</a>]);
    showSection(ctx, {
      title: booking.room_name,
      at: '/bookings',
      children: (
        <>
          {seesAll && <Troubles troubles={troubles} home={home} timeZone={booking.time_zone} />}
          <dl class="facts card">
            {facts.map(([term, value]) => (
              <>
                <dt>{term}</dt>
                <dd>{value}</dd>
              </>
            ))}
          </dl>
          <h2>Payments</h2>
          <Payments payments={payments} />
          <h2>What happened</h2>
          <Timeline happenings={happenings} timeZone={booking.time_zone} />
          {markable && (
            <Form action={`${home}/bookings/${booking.id}/no-show`} session={ctx.state.session}>
              <h2>Nobody came?</h2>
              <button class="quiet">Mark as no-show</button>
            </Form>
          )}
          {cancellable && <CancelForm ctx={ctx} booking={booking} />}
        </>
      ),
    });
  };
}

const back = (ctx: ApiContext, { id, workspace_id }: BookingRow): void =>
  ctx.redirect(`/dashboard/${workspace_id}/bookings/${id}`);

/** Cancels, as `POST /v1/bookings/{id}/cancel` does. */
export function cancelFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    const form = ctx.state.body as { reason?: string; refund_policy: RefundPolicy; notify_attendees?: 'on' };
    await cancelBooking(deps, ctx.state.principal, booking, {
      reason: form.reason || null,
      refund_policy: form.refund_policy,
      notify_attendees: form.notify_attendees === 'on',
    });
    back(ctx, booking);
  };
}

/** Marks a no-show, as `POST /v1/bookings/{id}/no-show` does. */
export function markFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    await markNoShow(deps.db, booking);
    back(ctx, booking);
  };
}

import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import { can } from '../../../domain/policies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Facts } from '../shared/action.js';
import { Id } from '../shared/id.js';
import { formatsOf } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { Countdown } from '../shared/booking-table.js';
import { detailsForm } from './details.js';
import { PaymentPage } from './pending-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { BookingMember } from '../../../db/queries/workspaces/dashboard.js';

/** Whether the payer has received the payment page's link by email, or is about to. */
function mailOf(timeline: TimelineEntry[], email: string | null | undefined): 'sent' | 'queued' | null {
  const mails = timeline.flatMap((entry) => (entry.kind === 'mail' ? [entry.facts] : []));
  const held = mails.filter(({ kind }) => kind === 'booking_held');
  if (held.some(({ status }) => status === 'sent')) return 'sent';
  return email && held.every(({ status }) => status !== 'failed') ? 'queued' : null;
}

/** What a booking is: its status, time, payer, price and documents. `run`: the address of its run. */
export function BookingFacts(props: {
  ctx: ApiContext;
  booking: BookingRow;
  who: Partial<BookingMember>;
  timeline: TimelineEntry[];
  /** What is due on account. */
  owed_minor: number;
  run: string | null;
}) {
  const { ctx, booking, who, timeline, owed_minor, run } = props;
  const { workspace_id, role } = ctx.state.membership!;
  const home = `/dashboard/${workspace_id}`;
  const { amount, moment, span } = formatsOf(ctx, booking.time_zone);
  const pending = booking.status === 'pending_payment';
  return (
    <Facts
      of={[
        ['Status', <Status value={booking.no_show_at ? 'no_show' : booking.status} />],
        pending &&
          booking.expires_at && [
            'Held until',
            <>
              {moment(booking.expires_at)} <Countdown until={booking.expires_at} />
            </>,
          ],
        ['When', `${span(booking)} (${booking.time_zone})`],
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
        owed_minor > 0 && ['To pay', `${amount(owed_minor, booking.currency)}, on account`],
        booking.hour_credits_used > 0 && ['Hour credits', `${booking.hour_credits_used} used`],
        ...detailsForm.facts(booking),
        pending &&
          booking.checkout_url && [
            'Payment page',
            <PaymentPage url={booking.checkout_url} mail={mailOf(timeline, who.email)} />,
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
        run && ['Run', <a href={run}>Open in Temporal</a>],
      ]}
    />
  );
}

import { seesInvoiceOfBooking } from '../../../domain/invoices/visibility.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { bookingState } from '../../../domain/bookings/state.js';
import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import type { Arrival } from '../../../domain/rooms/arrival.js';
import { bookingLines } from '../../../domain/rates/price-lines.js';
import { factsOfPrice } from '../../../domain/rates/price-words.js';
import type { ApiContext } from '../../../api/http/context.js';
import { FactCard } from '../shared/action.js';
import { createFormats } from '../../ui/formats.js';
import { arrivalFacts } from '../../ui/parts.js';
import { Status } from '../shared/status.js';
import { pageOfPayer } from '../shared/payer-name.js';
import { Countdown } from '../shared/booking-table.js';
import { DETAIL_LABELS } from './inputs.js';
import { can } from '../../../domain/policies.js';
import { linkMailStatus } from './link-mail.js';
import { PaymentPage } from './pending-change.js';
import { lostDisputes } from './timeline.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { ENGLISH } from '../../../domain/words/words.js';

const enteredFacts = ({
  source,
  guest_billing: billing,
  answers,
  terms_version,
}: BookingRow): (readonly [string, string])[] => {
  const facts: (readonly [string, string | null])[] = [
    ['Booked on', source === 'page' ? 'Booking page' : null],
    ['Company', billing?.company ?? null],
    ['VAT number', billing?.vat_number ?? null],
    ['Order reference', billing?.order_reference ?? null],
    ...(answers ?? []).map(({ label, value }) => [label, value === true ? 'Yes' : value] as const),
    ['Accepted terms', terms_version],
  ];
  return facts.flatMap(([term, value]) => (value === null ? [] : [[term, value] as const]));
};

/** What a booking is: its status, time, payer, price and documents. */
export function BookingFacts(props: {
  ctx: ApiContext;
  booking: BookingRow;
  who: Partial<BookingMember>;
  timeline: TimelineEntry[];
  invoice: InvoiceRow | null;
  owed_minor: number;
  arrival: Arrival;
}) {
  const { ctx, booking, who, invoice, timeline, owed_minor, arrival } = props;
  const { workspace_id } = ctx.state.membership!;
  const home = `/dashboard/${workspace_id}`;
  const formats = createFormats(ctx, booking.time_zone);
  const { amount, deadline, span } = formats;
  const pending = booking.status === 'pending_payment';
  const page = pageOfPayer(
    ctx,
    booking.member_id
      ? { kind: 'member', id: booking.member_id }
      : { kind: 'guest', id: booking.guest_email },
  );
  return (
    <FactCard
      of={[
        ['Status', <Status value={bookingState(booking, new Date())} />],
        pending &&
          booking.expires_at && [
            'Held until',
            <>
              {deadline(booking.expires_at)} <Countdown until={booking.expires_at} />
            </>,
          ],
        ['When', span(booking)],
        [
          'Booked by',
          !who.name ? (
            'erased'
          ) : page ? (
            <a href={page}>
              {who.name} ({who.email})
            </a>
          ) : (
            `${who.name} (${who.email})`
          ),
        ],
        ...arrivalFacts(ENGLISH, arrival),
        ...factsOfPrice(ENGLISH, { ...booking, lines: bookingLines(booking) }, (minor) =>
          amount(minor, booking.currency),
        ),
        ['Price', amount(booking.price_minor, booking.currency)],
        ...lostDisputes(timeline, { booking, formats }).map((lost) => ['Dispute', lost] as const),
        owed_minor > 0 && ['To pay', `${amount(owed_minor, booking.currency)}, on account`],
        booking.hour_credits_used > 0 && ['Hour credits', `${booking.hour_credits_used} used`],
        ...DETAIL_LABELS.map(([name, label]) => booking[name] && ([label, String(booking[name])] as const)),
        ...enteredFacts(booking),
        pending &&
          booking.checkout_url && [
            'Payment page',
            <PaymentPage
              url={booking.checkout_url}
              mail={linkMailStatus(timeline, { kind: 'booking_held' })}
              isBooker={!can(ctx.state.membership!.role, 'all_bookings')}
            />,
          ],
        ['Reference', <code>{booking.reference}</code>],
        invoice && [
          'Invoice',
          seesInvoiceOfBooking(ctx.state.membership!, invoice) ? (
            <a href={`${home}/invoices/${invoice.id}`}>{nameOfInvoice(invoice)}</a>
          ) : (
            nameOfInvoice(invoice)
          ),
        ],
      ]}
    />
  );
}

import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats, spaced } from '../../ui/formats.js';
import { StatusOfPayment } from '../payments/payment-table.js';

const PAYMENT_NAMES: Record<PaymentRow['kind'], string> = {
  charge: 'Card payment',
  top_up: 'Payment for a change',
  manual: 'Manual payment',
  refund: 'Refund',
};

/** The amount of a payment; that of a refund is negative. */
const signed = ({ kind, amount_minor, currency }: PaymentRow) => ({
  amount_minor: kind === 'refund' ? -amount_minor : amount_minor,
  currency,
});

/**
 * The payments and refunds of a booking. `linked`: to their pages, for those who may read billing.
 * `timeline`: shows which were charged by autopay.
 */
export function BookingPayments(props: {
  ctx: ApiContext;
  payments: PaymentRow[];
  timeline: TimelineEntry[];
  linked: boolean;
}) {
  const { ctx, payments, timeline, linked } = props;
  if (payments.length === 0) return <p class="soft">No payments.</p>;
  const charged = new Set(
    timeline.flatMap((entry) => (entry.kind === 'payment' && entry.facts.by_autopay ? [entry.facts.id] : [])),
  );
  const paymentName = ({ id, kind }: PaymentRow): string =>
    charged.has(id) ? 'Charged by autopay' : PAYMENT_NAMES[kind];
  const { money } = createFormats(ctx);
  const home = `/dashboard/${ctx.state.membership!.workspace_id}`;
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Payment</th>
            <th>Status</th>
            <th class="number">Amount</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.id}>
              <td>
                {linked ? (
                  <a href={`${home}/payments/${payment.id}`}>{paymentName(payment)}</a>
                ) : (
                  paymentName(payment)
                )}
                {payment.account_id === null && <span class="soft"> · {spaced(payment.method)}</span>}
              </td>
              <td>
                <StatusOfPayment of={payment} />
              </td>
              <td class="number">{money(signed(payment))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

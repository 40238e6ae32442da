import type { PaymentRow } from '../../../db/repositories/billing/payment-queries.js';
import type { ApiContext } from '../../http/context.js';
import { formatAmount, Id } from '../shared/format.js';
import { Status } from '../shared/layout.js';

const PAYMENT_NAMES: Record<PaymentRow['kind'], string> = {
  charge: 'Checkout payment',
  top_up: 'Charge for a change',
  manual: 'Manual payment',
  refund: 'Refund',
};

/** The amount of a payment; that of a refund is negative. */
const signed = ({ kind, amount_minor, currency }: PaymentRow) => ({
  amount_minor: kind === 'refund' ? -amount_minor : amount_minor,
  currency,
});

/** The payments and refunds of a booking; `linked` to their pages for those who may read billing. */
export function BookingPayments(props: {
  ctx: ApiContext;
  payments: PaymentRow[];
  linked: boolean;
  locale: string;
}) {
  const { ctx, payments, linked, locale } = props;
  if (payments.length === 0) return <p class="soft">No payments.</p>;
  const home = `/dashboard/${ctx.state.membership!.workspace_id}`;
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Payment</th>
            <th>Status</th>
            <th class="number">Amount</th>
            <th>ID</th>
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment.id}>
              <td>
                {linked ? (
                  <a href={`${home}/payments/${payment.id}`}>{PAYMENT_NAMES[payment.kind]}</a>
                ) : (
                  PAYMENT_NAMES[payment.kind]
                )}
              </td>
              <td>
                <Status value={payment.status} />
              </td>
              <td class="number">{formatAmount(signed(payment), locale)}</td>
              <td>
                <Id of={payment.id} /> {linked && <Id of={payment.processor_payment_intent_id ?? '—'} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

import joi from 'joi';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import { refuse } from '../../../domain/errors.js';
import { RETURN_YOURSELF } from '../../../domain/payments/refund-parts.js';
import { refundableOf, whyNotRefund } from '../../../domain/payments/refund.js';
import type { PresentedPayment } from '../../../domain/payments/presenter.js';
import { text } from '../../../api/http/fields.js';
import { paymentOf } from '../../../api/resources/payments/read.js';
import { refund } from '../../../api/resources/payments/refund.js';
import { refundSchema, type RefundBody } from '../../../api/resources/payments/shape.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { formatsOf, sentenceCase, spaced } from '../../ui/formats.js';
import { REFUND_REASON_NAMES } from './reasons.js';
import { amountEntered, amountInput } from '../shared/money-field.js';
import { textFields } from '../shared/declared-fields.js';
import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import { REFUND_REASONS } from '../../../commands/payments/refunds.js';
import { can } from '../../../domain/policies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { Choice, Select, TextField } from '../shared/fields.js';

export const refundFields = {
  ...hiddenFields,
  amount_minor: text(30).required(),
  ...textFields(refundSchema, 'reason'),
  notify_payer: joi.valid('on'),
};

/** The outcome of a refund, for the banner. */
const OUTCOMES: Record<string, string> = {
  succeeded: 'has been refunded',
  pending: 'is being refunded by Stripe',
  failed: 'could not be refunded. The payer did not receive the money',
};

/** Refunds a payment like `POST /v1/payments/{id}/refund`, after a confirmation with the amount. */
export const refundForm = apiForm<
  { amount_minor: string; reason: string; notify_payer?: 'on' },
  { refund: PresentedPayment }
>({
  handler: refund,
  schema: refundSchema,
  async body({ amount_minor, reason, notify_payer }, ctx, deps) {
    const payment = await paymentOf(ctx, deps);
    const entered = amountEntered(amount_minor, payment.currency, 'amount_minor') ?? 0;
    refuse(whyNotRefund(entered, { amount_minor: refundableOf(payment), currency: payment.currency }));
    return { amount_minor: entered, reason, notify_payer: notify_payer === 'on' };
  },
  async confirm(_form, ctx, deps) {
    const payment = await paymentOf(ctx, deps);
    const { amount_minor, reason, notify_payer } = ctx.state.body as Required<RefundBody>;
    const { amount } = formatsOf(ctx);
    const shown = amount(amount_minor, payment.currency);
    const left = refundableOf(payment) - amount_minor;
    const payer = payment.invoice_id
      ? (await findPayer(deps.db.manager, payment.invoice_id)).name
      : 'the payer';
    return {
      title: `Refund ${shown}`,
      at: '/payments',
      effects: (
        <>
          <p>
            {shown} of {amount(payment.amount_minor, payment.currency)} is refunded to {payer}
            {payment.account_id
              ? ', to the card they paid with.'
              : `. This only records the refund: return the money yourself by ${spaced(payment.method)}.`}{' '}
            {left > 0 && `${amount(left, payment.currency)} remains refundable.`}
          </p>
          <p>
            Reason: {REFUND_REASON_NAMES[reason]}.{' '}
            {notify_payer && payment.account_id ? 'The payer gets an email.' : 'The payer gets no email.'}{' '}
            This cannot be undone.
          </p>
        </>
      ),
      button: `Refund ${shown}`,
      danger: true,
    };
  },
  notice: ({ refund: { amount_minor, currency, status, processor_payment_intent_id: intent } }, ctx) => {
    const amount = formatsOf(ctx).amount(amount_minor, currency);
    if (intent === null) return `The refund of ${amount} is recorded. ${RETURN_YOURSELF}`;
    return `${amount} ${OUTCOMES[status] ?? 'is being refunded'}.`;
  },
  to: (ctx) => `/payments/${ctx.params.id}`,
});

export function RefundForm({ ctx, payment }: { ctx: ApiContext; payment: PaymentRow }) {
  const left = refundableOf(payment);
  const { currency } = payment;
  if (!can(ctx.state.membership!.role, 'write_billing') || left === 0) return null;
  const failed = payment.refunds.some(({ status }) => status === 'failed');
  return (
    <>
      <h2>Actions</h2>
      <div class="card">
        <Action
          ctx={ctx}
          action={pathIn(ctx, `/payments/${payment.id}/refund`)}
          summary={failed ? 'Refund again' : 'Refund'}
          button="Continue"
        >
          <TextField
            name="amount_minor"
            label={`Amount (${currency}), at most ${formatsOf(ctx).amount(left, currency)}`}
            inputMode="decimal"
            required
            value={amountInput({ amount_minor: left, currency })}
          />
          <Select
            name="reason"
            label="Reason"
            options={REFUND_REASONS.map((reason) => [reason, sentenceCase(REFUND_REASON_NAMES[reason])])}
            chosen={['requested_by_customer']}
          />
          <Choice name="notify_payer" checked>
            Email the payer
          </Choice>
        </Action>
      </div>
    </>
  );
}

import { findPayer } from '../../../db/queries/invoices/payer.js';
import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import { refuse } from '../../../domain/errors.js';
import { RETURN_YOURSELF } from '../../../domain/payments/refund-parts.js';
import { refundableMinor, whyNotRefund } from '../../../domain/payments/refund.js';
import { refundPayment } from '../../../api/resources/payments/operations.js';
import { createFormats, sentenceCase, spaced } from '../../ui/formats.js';
import { form, type Sent } from '../forms/form.js';
import type { PageProps } from '../forms/page.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Confirmation } from '../shared/confirmation.js';
import { amountInput } from '../shared/money-field.js';
import { REFUND_REASON_NAMES } from './reasons.js';

export interface OnePayment {
  payment: PaymentRow;
}

const OUTCOMES: Record<string, string> = {
  succeeded: 'has been refunded',
  pending: 'is being refunded by Stripe',
  failed: 'could not be refunded. The payer did not receive the money',
};

interface Refund {
  amount_minor?: number;
  reason: keyof typeof REFUND_REASON_NAMES;
  notify_payer: boolean;
}

async function confirm(
  { body, data: { payment }, ctx }: Sent<Refund, OnePayment>,
  { db }: ApiDependencies,
): Promise<Confirmation> {
  const { amount_minor, reason, notify_payer } = body as Required<Refund>;
  const { amount } = createFormats(ctx);
  const shown = amount(amount_minor, payment.currency);
  const left = refundableMinor(payment) - amount_minor;
  const payer = payment.invoice_id ? (await findPayer(db.manager, payment.invoice_id)).name : 'the payer';
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
          {notify_payer && payment.account_id ? 'The payer gets an email.' : 'The payer gets no email.'} This
          cannot be undone.
        </p>
      </>
    ),
    button: `Refund ${shown}`,
    danger: true,
  };
}

/** The refundable rest of a payment. */
const refundable = ({ payment }: OnePayment) => ({
  amount_minor: refundableMinor(payment),
  currency: payment.currency,
});

export const refund = form(
  refundPayment,
  {
    amount_minor: {
      label: (data: OnePayment, ctx) => {
        const { amount_minor, currency } = refundable(data);
        return `Amount (${currency}), at most ${createFormats(ctx).amount(amount_minor, currency)}`;
      },
      required: true,
      initial: (data) => amountInput(refundable(data)),
    },
    reason: {
      label: 'Reason',
      options: Object.entries(REFUND_REASON_NAMES).map(([reason, name]) => [reason, sentenceCase(name)]),
      initial: 'requested_by_customer',
    },
    notify_payer: { label: 'Email the payer', initial: 'on' },
  },
  {
    path: '/refund',
    summary: ({ payment }) =>
      payment.refunds.some(({ status }) => status === 'failed') ? 'Refund again' : 'Refund',
    button: 'Continue',
    entry: ({ payment: { currency } }) => ({ currency }),
    body(entered, { data }) {
      const amount_minor = Number(entered.amount_minor);
      refuse(whyNotRefund(amount_minor, refundable(data)));
      return { ...entered, amount_minor };
    },
    confirm,
    notice: (
      { refund: { amount_minor, currency, status, processor_payment_intent_id: intent } },
      { ctx },
    ) => {
      const amount = createFormats(ctx).amount(amount_minor, currency);
      if (intent === null) return `The refund of ${amount} is recorded. ${RETURN_YOURSELF}`;
      return `${amount} ${OUTCOMES[status] ?? 'is being refunded'}.`;
    },
  },
);

export const RefundDrawer = ({ page }: { page: PageProps<OnePayment> }) =>
  refundableMinor(page.data.payment) > 0 && <refund.Drawer page={page} icon="refund" />;

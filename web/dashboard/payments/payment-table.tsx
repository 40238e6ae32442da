import type { ComponentChildren } from 'preact';
import type { PaymentRow } from '../../../db/queries/payments/payment.js';
import type { ListedPayer } from '../../../db/queries/invoices/payer.js';
import type { PaymentCause } from '../../../db/queries/payments/refund.js';
import type { PaymentKind } from '../../../domain/payments/presenter.js';
import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import { can } from '../../../domain/policies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { PayerName } from '../shared/payer-name.js';
import { pathIn } from '../shared/paths.js';
import { createFormats, spaced } from '../../ui/formats.js';
import { Status } from '../shared/status.js';
import { Table } from '../shared/list.js';
import { describePaymentReason } from './reasons.js';

export const PAYMENT_KIND_NAMES: Record<PaymentKind, string> = {
  charge: 'Card payment',
  top_up: 'Payment for a change',
  manual: 'Manual payment',
  refund: 'Refund',
};

/**
 * The status of a payment. A refund that was not made online is `recorded`, because its arrival is not
 * reported.
 */
export function StatusOfPayment({ of }: { of: Pick<PaymentRow, 'kind' | 'status' | 'account_id'> }) {
  const byHand = of.kind === 'refund' && of.account_id === null && of.status === 'succeeded';
  return <Status value={of.status} name={byHand ? 'recorded' : undefined} />;
}

/** `£10.00 refunded, £5.00 being refunded`. */
export function describeRefunded(
  { refunded_minor, refunds, currency }: PaymentRow,
  amount: (minor: number, currency: string) => string,
): string {
  const pending = refunds
    .filter(({ status }) => status === 'pending')
    .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
  const done = refunded_minor - pending;
  return [
    ...(done > 0 ? [`${amount(done, currency)} refunded`] : []),
    ...(pending > 0 ? [`${amount(pending, currency)} being refunded`] : []),
  ].join(', ');
}

/** Payments and refunds, linked to their pages for those who may read billing. */
export function PaymentTable(props: {
  ctx: ApiContext;
  payments: PaymentRow[];
  empty: ComponentChildren;
  /** Payers by invoice; without it the table shows neither. */
  payers?: Map<string, ListedPayer>;
  causes: Map<string, PaymentCause>;
}) {
  const { ctx, payments, empty, payers, causes } = props;
  const { amount, moment } = createFormats(ctx);
  const linked = can(ctx.state.membership!.role, 'read_billing');
  return (
    <Table
      rows={payments}
      empty={empty}
      columns={[
        {
          name: 'When',
          show: ({ id, moved_at }) =>
            linked ? (
              <a class="time" href={pathIn(ctx, `/payments/${id}`)}>
                {moment(moved_at)}
              </a>
            ) : (
              <span class="time">{moment(moved_at)}</span>
            ),
        },
        {
          name: 'Kind',
          show: (payment) => {
            const { id, kind, method, account_id } = payment;
            const reason = describePaymentReason(payment, causes.get(id));
            return (
              <>
                {PAYMENT_KIND_NAMES[kind]}
                {account_id === null && <span class="soft"> · {spaced(method)}</span>}
                {reason && <small>{reason}</small>}
              </>
            );
          },
        },
        ...(payers
          ? [
              {
                name: 'Invoice',
                show: ({ invoice_id }: PaymentRow) => {
                  const invoice = payers.get(invoice_id ?? '');
                  return (
                    invoice && (
                      <a class="nowrap" href={pathIn(ctx, `/invoices/${invoice_id}`)}>
                        {nameOfInvoice(invoice)}
                      </a>
                    )
                  );
                },
              },
              {
                name: 'Payer',
                show: ({ invoice_id }: PaymentRow) => (
                  <PayerName ctx={ctx} payer={payers.get(invoice_id ?? '')} />
                ),
              },
            ]
          : []),
        { name: 'Status', show: (payment) => <StatusOfPayment of={payment} /> },
        {
          name: 'Amount',
          number: true,
          show: (payment) => {
            const { kind, amount_minor, refunded_minor, currency } = payment;
            return (
              <>
                {amount(kind === 'refund' ? -amount_minor : amount_minor, currency)}
                {refunded_minor > 0 && <small>{describeRefunded(payment, amount)}</small>}
              </>
            );
          },
        },
      ]}
    />
  );
}

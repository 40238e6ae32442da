import { toPaymentMethod } from '../../../domain/payments/methods.js';
import { listPayers } from '../../../db/queries/invoices/payer.js';
import { findPaymentCauses } from '../../../db/queries/payments/refund.js';
import { findReferences } from '../../../db/queries/bookings/reference.js';
import { describePaymentReason } from '../payments/reasons.js';
import { listPayments, type ListedPayment } from '../../../db/queries/payments/payment.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Reply } from '../../../api/http/operation.js';
import type { PageRequest } from '../forms/page.js';
import { PAYMENT_KIND_NAMES } from '../payments/payment-table.js';
import { readPaymentFilter } from '../payments/payments.js';
import { spaced } from '../../ui/formats.js';
import { cellTime, csvReply } from './stream.js';

/**
 * `GET /dashboard/:workspace/payments.csv`: the payments and refunds of a filter by when their
 * money moved, newest first. Refunds are negative. What banks have withdrawn for disputes and not
 * returned has its own column.
 */
export async function exportPayments({ ctx }: PageRequest, { db }: ApiDependencies): Promise<Reply> {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const filter = readPaymentFilter(ctx);
  return csvReply<ListedPayment>(ctx, 'payments', {
    columns: [
      `When (${time_zone})`,
      'Kind',
      'Status',
      'Payer',
      'Invoice number',
      'Currency',
      'Amount',
      'Refunded',
      'Method',
      'Reason',
      'Reference',
      'Booking',
      'Payment',
      'At the processor',
      'Booking reference',
      'Withdrawn by the bank',
      'Reason in words',
      'Method at the processor',
    ],
    read: (after, limit) =>
      listPayments(db.manager, {
        ...filter,
        after: after && { listed_at: after.listed_at.toISOString(), id: after.id },
        limit,
      }),
    async cells(payments) {
      const [payers, references, causes] = await Promise.all([
        listPayers(
          db.manager,
          payments.flatMap(({ invoice_id }) => invoice_id ?? []),
        ),
        findReferences(
          db.manager,
          workspace_id,
          payments.flatMap(({ booking_id }) => booking_id ?? []),
        ),
        findPaymentCauses(
          db.manager,
          payments.map(({ id }) => id),
        ),
      ]);
      return payments.map((payment) => {
        const { currency, kind } = payment;
        const amount = (amount_minor: number) => ({ amount_minor, currency });
        const payer = payers.get(payment.invoice_id ?? '');
        return [
          cellTime(payment.moved_at, time_zone),
          PAYMENT_KIND_NAMES[kind],
          spaced(payment.status),
          payer?.name ?? null,
          payer?.document_number ?? null,
          currency,
          amount(kind === 'refund' ? -payment.amount_minor : payment.amount_minor),
          amount(payment.refunded_minor),
          spaced(toPaymentMethod(payment.method)),
          payment.reason && spaced(payment.reason),
          payment.reference,
          payment.booking_id,
          payment.id,
          payment.processor_payment_intent_id,
          references.get(payment.booking_id ?? '') ?? null,
          amount(payment.disputed_minor),
          describePaymentReason(payment, causes.get(payment.id)),
          payment.account_id && payment.method,
        ];
      });
    },
  });
}

import {
  listDocumentRates,
  listIssuedDocuments,
  type IssuedDocument,
} from '../../../db/queries/invoices/issued-document.js';
import {
  findPaymentCauses,
  findRefundsById,
  type PaymentCause,
} from '../../../db/queries/payments/refund.js';
import type { Payment } from '../../../db/entities/payments.js';
import { negated } from '../../../domain/invoices/credited-tax.js';
import { NO_DOCUMENT_REASONS } from '../../../domain/invoices/document-number.js';
import {
  chargedTotals,
  toInvoiceNumber,
  formatPayerName,
  type DocumentKind,
} from '../../../domain/invoices/document.js';
import { ownReferenceIn, taxPerRate } from '../../../domain/invoices/invoice.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Reply } from '../../../api/http/operation.js';
import type { PageRequest } from '../forms/page.js';
import { readDocumentFilter } from '../invoices/invoices.js';
import { describePaymentReason } from '../payments/reasons.js';
import { cellDay, csvReply } from './stream.js';

const KINDS: Record<DocumentKind, string> = {
  invoice: 'Invoice',
  supplement: 'Supplement',
  credit_note: 'Credit note',
};

/**
 * Why a document was issued: the reason that is on it, or what made its payment, its
 * refund or what a bank did.
 */
function describeDocumentReason(
  { kind, terms, source_id, payment_id, cancels, unissued }: IssuedDocument,
  refunds: Map<string, Payment>,
  causes: Map<string, PaymentCause>,
): string | null {
  if (unissued) return NO_DOCUMENT_REASONS[unissued];
  if (cancels) return kind === 'credit_note' ? 'Invoice voided' : 'Refund failed';
  if (terms.reason) return terms.reason;
  if (payment_id === null) return kind === 'invoice' ? null : 'Change of the booking';
  const isDispute = source_id !== payment_id;
  if (kind === 'supplement')
    return isDispute ? 'Returned by the bank after a dispute' : 'Change of the booking';
  if (isDispute) return 'Withdrawn by the bank for a dispute';
  const refund = refunds.get(payment_id);
  return refund ? describePaymentReason(refund, causes.get(payment_id)) : null;
}

/**
 * `GET /dashboard/:workspace/documents.csv`: the issued documents by day of issue, newest first, and void
 * numbers without a document by the day on which they became void. Credit notes are negative and void
 * documents zero, so that the tax of a period is the sum of a column (docs/rules/billing.md#exports).
 */
export async function exportDocuments({ ctx }: PageRequest, { db }: ApiDependencies): Promise<Reply> {
  const { time_zone } = ctx.state.membership!;
  const { filter, period } = readDocumentFilter(ctx);
  const rates = await listDocumentRates(db.manager, filter, period);
  return csvReply<IssuedDocument>(ctx, 'documents', {
    columns: [
      'Number',
      'Kind',
      'Status',
      `Issued (${time_zone})`,
      'Payer',
      'Invoice number',
      'Due',
      'Currency',
      'Net',
      'Tax',
      'Total',
      ...rates.flatMap((rate) => [`Net at ${rate / 100}%`, `Tax at ${rate / 100}%`]),
      'Reason',
      'Reference',
      'Booking reference',
      `Voided (${time_zone})`,
      'Payment',
      'Invoice',
    ],
    read: (after, limit) => listIssuedDocuments(db.manager, filter, period, { after, limit }),
    async cells(documents) {
      const paymentIds = documents.flatMap(({ payment_id }) => payment_id ?? []);
      const [refunds, causes] = await Promise.all([
        findRefundsById(db.manager, paymentIds),
        findPaymentCauses(db.manager, paymentIds),
      ]);
      const refundsById = new Map(refunds.map((refund) => [refund.id, refund]));
      return documents.map((document) => {
        const { kind, number, terms, voided_at, lines, at, unissued } = document;
        const amount = (amount_minor: number) => ({ amount_minor, currency: terms.currency });
        const charge = chargedTotals(document);
        const perRate = voided_at ? [] : taxPerRate(kind === 'credit_note' ? negated(lines) : lines);
        const ofRate = (rate: number) => perRate.find(({ tax_rate_bps }) => tax_rate_bps === rate);
        return [
          number,
          KINDS[kind],
          voided_at ? 'void' : 'issued',
          unissued ? null : cellDay(at, time_zone),
          formatPayerName(document),
          toInvoiceNumber(number),
          kind === 'invoice' ? cellDay(new Date(terms.due_at), time_zone) : null,
          terms.currency,
          amount(charge.net_minor),
          amount(charge.tax_minor),
          amount(charge.total_minor),
          ...rates.flatMap((rate) => [
            amount(ofRate(rate)?.net_minor ?? 0),
            amount(ofRate(rate)?.tax_minor ?? 0),
          ]),
          describeDocumentReason(document, refundsById, causes),
          ownReferenceIn(terms.reference),
          terms.booking ?? null,
          cellDay(voided_at, time_zone),
          document.payment_id,
          document.invoice_id,
        ];
      });
    },
  });
}

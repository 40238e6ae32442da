import { issueOldDocuments } from '../../../commands/billing/invoice-documents.js';
import {
  listDocumentRates,
  listIssuedDocuments,
  listUndocumented,
  type IssuedDocument,
} from '../../../db/queries/billing/issued-document.js';
import { listPayers } from '../../../db/queries/billing/payer.js';
import { negated } from '../../../domain/credited-tax.js';
import { chargeOf, invoiceNumberOf, type DocumentKind } from '../../../domain/invoice-document.js';
import { ownReferenceIn, taxPerRate } from '../../../domain/invoice.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { invoiceFilterOf } from '../invoices/invoices.js';
import { cellDay, sendCsv } from './stream.js';

const KINDS: Record<DocumentKind, string> = {
  invoice: 'Invoice',
  supplement: 'Supplement',
  credit_note: 'Credit note',
};

/**
 * `GET /dashboard/:workspace/documents.csv`: what was issued, by the day of issue, newest first. Credit notes are negative and void
 * documents zero, so that the tax of a period is the sum of a column (docs/rules/billing.md#exports).
 */
export function exportDocuments({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { time_zone } = ctx.state.membership!;
    const { from, to, ...invoices } = invoiceFilterOf(ctx);
    const filter = { ...invoices, issued_only: false };
    const period = { from, to };
    await issueOldDocuments(db, await listUndocumented(db.manager, filter));
    const rates = await listDocumentRates(db.manager, filter, period);
    sendCsv<IssuedDocument>(ctx, 'documents', {
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
        const payers = await listPayers(
          db.manager,
          documents.map(({ invoice_id }) => invoice_id),
        );
        return documents.map((document) => {
          const { kind, number, terms, voided_at, lines } = document;
          const amount = (amount_minor: number) => ({ amount_minor, currency: terms.currency });
          const charge = chargeOf(document);
          const perRate = voided_at ? [] : taxPerRate(kind === 'credit_note' ? negated(lines) : lines);
          const ofRate = (rate: number) => perRate.find(({ tax_rate_bps }) => tax_rate_bps === rate);
          return [
            number,
            KINDS[kind],
            voided_at ? 'void' : 'issued',
            cellDay(document.issued_at, time_zone),
            payers.get(document.invoice_id)!.name,
            invoiceNumberOf(number),
            kind === 'invoice' ? cellDay(new Date(terms.due_at), time_zone) : null,
            terms.currency,
            amount(charge.net_minor),
            amount(charge.tax_minor),
            amount(charge.total_minor),
            ...rates.flatMap((rate) => [
              amount(ofRate(rate)?.net_minor ?? 0),
              amount(ofRate(rate)?.tax_minor ?? 0),
            ]),
            terms.reason,
            ownReferenceIn(terms.reference),
            terms.booking ?? null,
            cellDay(voided_at, time_zone),
            document.payment_id,
            document.invoice_id,
          ];
        });
      },
    });
  };
}

import { chargedByDocuments } from '../../../domain/invoices/document.js';
import { listInvoices, listTaxRates, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { listPayers } from '../../../db/queries/invoices/payer.js';
import { findReferences } from '../../../db/queries/bookings/reference.js';
import { taxPerRate } from '../../../domain/invoices/invoice.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Reply } from '../../../api/http/operation.js';
import type { PageRequest } from '../forms/page.js';
import { KIND_NAMES } from '../invoices/invoice-table.js';
import { readInvoiceFilter } from '../invoices/invoices.js';
import { cellDay, cellMetadata, csvReply } from './stream.js';

/**
 * `GET /dashboard/:workspace/invoices.csv`: the invoices of a filter, newest first. A
 * void one charges nothing.
 */
export async function exportInvoices({ ctx }: PageRequest, { db }: ApiDependencies): Promise<Reply> {
  const { workspace_id, time_zone } = ctx.state.membership!;
  const filter = readInvoiceFilter(ctx);
  const rates = await listTaxRates(db.manager, filter);
  return csvReply<InvoiceRow>(ctx, 'invoices', {
    columns: [
      'Number',
      'Status',
      'For',
      'Payer',
      `Created (${time_zone})`,
      'Due',
      'Paid',
      'Currency',
      'Net',
      'Tax',
      'Total',
      'Amount paid',
      'Outstanding',
      ...rates.flatMap((rate) => [`Net at ${rate / 100}%`, `Tax at ${rate / 100}%`]),
      'Reference',
      'Booking reference',
      'Booking',
      'Invoice',
      'Net after credits',
      'Tax after credits',
      'Total after credits',
      'Metadata',
    ],
    read: (after, limit) =>
      listInvoices(db.manager, {
        ...filter,
        after: after && { created_at: after.created_at.toISOString(), id: after.id },
        limit,
      }),
    async cells(invoices) {
      const [payers, references] = await Promise.all([
        listPayers(
          db.manager,
          invoices.map(({ id }) => id),
        ),
        findReferences(
          db.manager,
          workspace_id,
          invoices.flatMap(({ booking_id }) => booking_id ?? []),
        ),
      ]);
      return invoices.map((invoice) => {
        const { currency } = invoice;
        const amount = (amount_minor: number) => ({ amount_minor, currency });
        const isDue = invoice.status !== 'void' && invoice.status !== 'cancelled';
        const charged = (amount_minor: number) => amount(isDue ? amount_minor : 0);
        const perRate = isDue ? taxPerRate(invoice.lines) : [];
        const left = chargedByDocuments(invoice);
        const ofRate = (rate: number) => perRate.find(({ tax_rate_bps }) => tax_rate_bps === rate);
        return [
          invoice.document_number,
          invoice.status,
          KIND_NAMES[invoice.kind],
          payers.get(invoice.id)!.name,
          cellDay(invoice.created_at, time_zone),
          cellDay(invoice.due_at, time_zone),
          cellDay(invoice.paid_at, time_zone),
          currency,
          charged(invoice.net_minor),
          charged(invoice.tax_minor),
          charged(invoice.total_minor),
          amount(invoice.paid_minor),
          amount(outstandingMinor(invoice)),
          ...rates.flatMap((rate) => [
            amount(ofRate(rate)?.net_minor ?? 0),
            amount(ofRate(rate)?.tax_minor ?? 0),
          ]),
          invoice.reference,
          references.get(invoice.booking_id ?? '') ?? null,
          invoice.booking_id,
          invoice.id,
          amount(left.net_minor),
          amount(left.tax_minor),
          amount(left.total_minor),
          cellMetadata(invoice.metadata),
        ];
      });
    },
  });
}

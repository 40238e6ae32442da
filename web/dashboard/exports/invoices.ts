import { listInvoices, type InvoiceRow } from '../../../db/queries/billing/invoice.js';
import { listPayers } from '../../../db/queries/billing/payer.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { KIND_NAMES } from '../invoices/invoice-table.js';
import { invoiceFilterOf } from '../invoices/invoices.js';
import { amountInput } from '../shared/money-field.js';
import { cellTime, sendCsv } from './stream.js';

/** `GET /dashboard/:workspace/invoices.csv`: the invoices of a filter, newest first. */
export function exportInvoices({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { time_zone } = ctx.state.membership!;
    const filter = invoiceFilterOf(ctx);
    sendCsv<InvoiceRow>(ctx, 'invoices', {
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
        'Reference',
        'Booking',
        'Invoice',
      ],
      read: (after, limit) =>
        listInvoices(db.manager, {
          ...filter,
          after: after && { created_at: after.created_at.toISOString(), id: after.id },
          limit,
        }),
      async cells(invoices) {
        const payers = await listPayers(
          db.manager,
          invoices.map(({ id }) => id),
        );
        return invoices.map((invoice) => {
          const { currency } = invoice;
          const amount = (amount_minor: number) => Number(amountInput({ amount_minor, currency }));
          return [
            invoice.number,
            invoice.status,
            KIND_NAMES[invoice.kind],
            payers.get(invoice.id)!.name,
            cellTime(invoice.created_at, time_zone),
            cellTime(invoice.due_at, time_zone),
            cellTime(invoice.paid_at, time_zone),
            currency,
            amount(invoice.net_minor),
            amount(invoice.tax_minor),
            amount(invoice.total_minor),
            amount(invoice.paid_minor),
            amount(outstandingOf(invoice)),
            invoice.reference,
            invoice.booking_id,
            invoice.id,
          ];
        });
      },
    });
  };
}

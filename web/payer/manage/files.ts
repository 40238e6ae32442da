import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { findInvoiceById } from '../../../db/queries/billing/invoice.js';
import { listRefundDocuments } from '../../../db/queries/billing/refund.js';
import { wasPaid } from '../../../domain/invoice.js';
import { presentCalendarEntry } from '../../../domain/presenters/calendar-entry.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { refundFileName, refundPdf } from '../../../api/resources/invoices/refund-pdf.js';
import { invoiceFileName, pdfOf } from '../../../api/resources/invoices/send.js';
import { sendPdf } from '../pdf-response.js';
import type { Managed } from './access.js';

/** `GET /manage/:token/booking.ics`: the booking as a file for the payer's calendar, the same entry as in the mail. */
export const calendarFile = async (ctx: ApiContext, { booking }: Managed): Promise<void> => {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const { status, ...entry } = presentCalendarEntry({ ...booking, workspace_name: booking.workspace.name });
  calendar.createEvent({ ...entry, status: ICalEventStatus[status] });
  ctx.set('Content-Disposition', 'attachment; filename="booking.ics"');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = `${calendar.toString()}\r\n`;
  ctx.type = 'text/calendar; charset=utf-8';
};

/** `GET /manage/:token/receipt.pdf`: the booking's invoice. */
export const receipt =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, { booking, path }: Managed): Promise<void> => {
    const invoice = booking.invoice_id && (await findInvoiceById(deps.db.manager, booking.invoice_id));
    if (!invoice || !wasPaid(invoice)) return ctx.redirect(path);
    sendPdf(ctx, invoiceFileName(invoice), await pdfOf(deps, invoice));
  };

/** `GET /manage/:token/refunds/:refund.pdf`: a credit note, or the confirmation of a refund that was never billed. */
export const refundFile =
  ({ db }: ApiDependencies) =>
  async (ctx: ApiContext, { booking, path }: Managed): Promise<void> => {
    const refunds = booking.invoice_id
      ? await listRefundDocuments(db.manager, { booking_id: booking.id })
      : [];
    const refund = refunds.find(({ id }) => id === ctx.params.refund);
    if (!refund) return ctx.redirect(path);
    const invoice = (await findInvoiceById(db.manager, booking.invoice_id!))!;
    sendPdf(ctx, refundFileName(refund, invoice), await refundPdf(db.manager, refund, invoice));
  };

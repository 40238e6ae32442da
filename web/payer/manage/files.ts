import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { findInvoiceById } from '../../../db/queries/invoices/invoice.js';
import { listBookingDocuments } from '../../../db/queries/invoices/document.js';
import { wasPaid } from '../../../domain/invoices/invoice.js';
import { presentCalendarEntry } from '../../../domain/bookings/calendar-entry-presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { drawDocument } from '../../../commands/invoices/pdf/drawing.js';
import { invoiceFile, refundFile } from '../../../commands/invoices/pdf/files.js';
import { sendPdf } from '../../../api/http/files.js';
import { visibleArrival } from '../../../domain/rooms/arrival.js';
import { wordsIn } from '../../ui/language.js';
import type { Managed } from './access.js';

/**
 * `GET /manage/:token/booking.ics`: the booking as a file for the payer's calendar, the
 * same entry as in the mail.
 */
export const calendarFile = async (ctx: ApiContext, { booking }: Managed): Promise<void> => {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const { status, ...entry } = presentCalendarEntry(wordsIn(ctx), {
    ...booking,
    ...visibleArrival(booking.status, booking.room),
    workspace_name: booking.workspace.name,
  });
  calendar.createEvent({ ...entry, status: ICalEventStatus[status] });
  ctx.set('Content-Disposition', 'attachment; filename="booking.ics"');
  ctx.set('Cache-Control', 'no-store');
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.body = `${calendar.toString()}\r\n`;
  ctx.type = 'text/calendar; charset=utf-8';
};

/** `GET /manage/:token/receipt.pdf`: the booking's invoice, or the page if it was not issued. */
export const receipt =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, { booking, path }: Managed): Promise<void> => {
    const invoice = booking.invoice_id && (await findInvoiceById(deps.db.manager, booking.invoice_id));
    if (!invoice || !wasPaid(invoice)) return ctx.redirect(path);
    const file = await invoiceFile(deps.db.manager, invoice);
    if (file) sendPdf(ctx, file.name, file.content);
    else ctx.redirect(path);
  };

/** `GET /manage/:token/documents/:number.pdf`: an invoice, supplement or credit note of the booking. */
export const documentFile =
  ({ db: { manager } }: ApiDependencies) =>
  async (ctx: ApiContext, { booking, path }: Managed): Promise<void> => {
    const documents = await listBookingDocuments(manager, booking);
    const document = documents.find(({ number }) => number === ctx.params.number);
    if (!document) return ctx.redirect(path);
    sendPdf(ctx, document.number, await drawDocument(document));
  };

/**
 * `GET /manage/:token/refunds/:refund.pdf`: a credit note, or the confirmation of a
 * refund that was never billed.
 */
export const refundPdf =
  (deps: ApiDependencies) =>
  async (ctx: ApiContext, { booking, path }: Managed): Promise<void> => {
    const invoice = booking.invoice_id && (await findInvoiceById(deps.db.manager, booking.invoice_id));
    const file = invoice && (await refundFile(deps.db.manager, invoice, ctx.params.refund!));
    if (!file) return ctx.redirect(path);
    sendPdf(ctx, file.name, file.content);
  };

import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import { findInvoiceById } from '../../../db/repositories/billing/invoice-queries.js';
import { presentCalendarEntry } from '../../../domain/presenters/calendar-entry.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext } from '../../http/context.js';
import { pdfOf } from '../../invoices/send.js';
import type { Managed } from './access.js';

/** `GET /manage/:token/booking.ics`: the booking as a file for the payer's calendar, the same entry as in the mail. */
export const calendarFile = async (ctx: ApiContext, { booking, workspace }: Managed): Promise<void> => {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    method: ICalCalendarMethod.PUBLISH,
  });
  const { status, ...entry } = presentCalendarEntry({ ...booking, workspace_name: workspace.name });
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
    if (!invoice || (invoice.status !== 'paid' && invoice.status !== 'refunded')) return ctx.redirect(path);
    ctx.set('Content-Disposition', `inline; filename="${invoice.id}.pdf"`);
    ctx.set('Cache-Control', 'no-store');
    ctx.set('X-Content-Type-Options', 'nosniff');
    ctx.type = 'application/pdf';
    ctx.body = await pdfOf(deps, invoice);
  };

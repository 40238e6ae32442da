import { keptLines } from '../../domain/bookings/cancellation.js';
import { sumTotals } from '../../domain/invoices/invoice.js';
import { describeBooking } from '../../domain/bookings/words.js';
import { owedLines } from '../../domain/rates/price-lines.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { newId } from '../../db/ids.js';
import type { Tx } from '../../db/transaction.js';
import { withdrawInvoice } from '../invoices/lifecycle.js';
import type { InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { insertInvoice, lockInvoice } from '../invoices/invoices.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';

/**
 * Returns the invoice of a confirmed booking on account, locked, if it is not fully paid; null for any other
 * booking.
 */
export async function lockUnpaidInvoice(tx: Tx, booking: BookingRow): Promise<InvoiceRow | null> {
  if (booking.account_days === null || booking.status !== 'confirmed') return null;
  const invoice = await lockInvoice(tx, booking.invoice_id!);
  return outstandingMinor(invoice) > 0 ? { ...invoice, lines: owedLines(booking, invoice) } : null;
}

/**
 * Settles what is owed for a cancelled booking on account (docs/rules/bookings.md#on-account). Its invoice is
 * voided, and a new invoice for the part that is not refunded replaces it. Returns false if nothing stays
 * due.
 */
export async function cancelUnpaid(
  tx: Tx,
  booking: BookingRow,
  invoice: InvoiceRow,
  percents: number[],
  now: Date,
): Promise<boolean> {
  if (percents.every((percent) => percent === 0)) return true;
  await withdrawInvoice(tx, invoice, now);
  const lines = keptLines(invoice, percents).flatMap((line, index) => {
    const kept = 100 - percents[index]!;
    if (kept === 0) return [];
    const { net_minor: unit_amount_minor } = line;
    // The first line is the booked time, which may have changed since it was invoiced.
    const what = index === 0 ? describeBooking(booking) : line.description;
    return [
      {
        ...line,
        description: `Cancelled: ${what}, ${Math.round(kept * 100) / 100} %`,
        quantity: 1,
        unit_amount_minor,
      },
    ];
  });
  if (sumTotals(lines).total_minor === 0) return false;
  await insertInvoice(tx, {
    id: newId('inv'),
    workspace_id: booking.workspace_id,
    kind: 'adjustment',
    currency: booking.currency,
    due_at: invoice.due_at > now ? invoice.due_at : now,
    company_id: invoice.company_id,
    member_id: invoice.member_id,
    adjusts: invoice.id,
    created_at: now,
    lines,
  });
  return true;
}

import { exchangeOf, type TaxPart } from '../../domain/invoices/credited-tax.js';
import { asLines, describedDifference } from '../../domain/invoices/difference-lines.js';
import type { InvoiceLine } from '../../domain/invoices/invoice.js';
import { findCreditable } from '../../db/queries/invoices/creditable.js';
import type { BookingRow } from '../../db/queries/bookings/booking.js';
import type { Tx } from '../../db/transaction.js';

/** What a change exchanges on the invoice of its booking: lines above zero. */
export interface ExchangedLines {
  taken: InvoiceLine[];
  added: InvoiceLine[];
}

/**
 * The lines that a change takes off the invoice of its booking and adds to it, beside those that its refunds
 * take off (docs/rules/billing.md#documents-of-a-change). `paid_minor`: what is paid for it, in minor units.
 */
export async function exchangedLines(
  tx: Tx,
  before: BookingRow,
  after: BookingRow,
  { refunded = [], paid_minor = 0 }: { refunded?: TaxPart[]; paid_minor?: number },
): Promise<ExchangedLines> {
  const difference = describedDifference(before, after);
  const left = (await findCreditable(tx, before.id)) ?? difference.taken;
  const { taken, added } = exchangeOf(difference, { refunded, left, paid_minor }, before.currency);
  return { taken: asLines(taken), added: asLines(added) };
}

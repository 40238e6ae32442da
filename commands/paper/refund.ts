import type { InvoiceRow } from '../../db/queries/billing/invoice.js';
import type { Refund } from '../../db/queries/billing/refund.js';
import { formatMoney } from '../../domain/display.js';
import { billedTo, taxNameOf, type InvoiceParties } from '../../domain/invoice-parties.js';
import { BOLD, dayInWords, FONT, renderPaper, row, rule, titles } from './layout.js';

/** What the confirmation of a refund is drawn from. */
export interface RefundPaper {
  refund: Refund;
  invoice: Pick<InvoiceRow, 'currency' | 'accounting_reference'>;
  time_zone: string;
  parties: InvoiceParties;
  /** The name of a member or guest. */
  payer: string;
}

/**
 * A refund of money that was never billed, such as a late payment, as PDF: a confirmation, and no credit note. It runs in a
 * thread (drawing.ts).
 */
export function renderRefund({ refund, invoice, time_zone, parties, payer }: RefundPaper): Promise<Buffer> {
  const { amount_minor, settled_at, id } = refund;
  const amount = formatMoney({ amount_minor, currency: invoice.currency });
  const facts: [string, string][] = [
    ['Reference', invoice.accounting_reference],
    ['Refunded to', billedTo(parties, payer)],
    ['Date', dayInWords(settled_at, time_zone)],
    ['Refund id', id],
  ];
  const head = { title: 'Refund', seller: parties.seller, created_at: settled_at, facts };
  return renderPaper(head, [facts, parties, amount], (drawing) => {
    titles(drawing, taxNameOf(parties));
    row(drawing, ['Payment that was not due', '1', amount, '', amount], FONT);
    rule(drawing);
    row(drawing, ['', '', 'Refunded', '', amount], BOLD);
  });
}

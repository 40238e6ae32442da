import { setImmediate } from 'node:timers/promises';
import type { Workspace } from '../../../db/entities/workspaces.js';
import type { InvoiceMoney } from '../../../db/queries/billing/invoice-money.js';
import type { InvoiceRow } from '../../../db/queries/billing/invoice.js';
import { formatMoney } from '../../../domain/display.js';
import { meansOf } from '../../../domain/invoice-words.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import {
  BOLD,
  dayInWords,
  FONT,
  onOneLine,
  renderDocument,
  row,
  rule,
  titles,
  type Document,
} from './pdf-layout.js';
import type { Printed } from './printed.js';

const TITLES: Partial<Record<InvoiceRow['status'], string>> = {
  paid: 'Paid',
  void: 'Void',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  draft: 'Draft',
};

/**
 * An invoice as PDF with one or more pages. Dates are in the workspace's time zone. Two hundred long lines take seconds,
 * so other requests are served between lines.
 */
export function renderInvoice(
  invoice: InvoiceRow,
  { time_zone }: Pick<Workspace, 'time_zone'>,
  { seller, billedTo, reason }: Printed,
  money: InvoiceMoney[],
): Promise<Buffer> {
  const { created_at, due_at, status, period_start, period_end } = invoice;
  const title = `Invoice ${invoice.accounting_reference}`;
  const facts: [string, string][] = [
    ['Billed to', billedTo],
    ['Date', dayInWords(created_at, time_zone)],
    ['Due', dayInWords(due_at, time_zone)],
  ];
  if (period_start) facts.push(['Period', `${period_start} to ${period_end}`]);
  if (reason) facts.push(['Reason', onOneLine(reason)]);
  facts.push(['Invoice id', invoice.id]);
  const heading = TITLES[status] ? `${title} (${TITLES[status]})` : title;
  return renderDocument({ title, heading, seller, created_at, facts }, async (document) => {
    await lines(document, invoice);
    totals(document, invoice);
    movements(document, invoice, money, time_zone);
  });
}

async function lines(document: Document, { lines, currency }: InvoiceRow): Promise<void> {
  titles(document);
  for (const line of lines) {
    await setImmediate();
    row(
      document,
      [
        onOneLine(line.description),
        String(Number(line.quantity)),
        formatMoney({ amount_minor: line.unit_amount_minor, currency }),
        `${line.tax_rate_bps / 100}%`,
        formatMoney({ amount_minor: line.net_minor, currency }),
      ],
      FONT,
    );
  }
  rule(document);
}

function totals(document: Document, invoice: InvoiceRow): void {
  const { currency } = invoice;
  const taxes = new Map<number, number>();
  for (const { tax_rate_bps, tax_minor } of invoice.lines)
    taxes.set(tax_rate_bps, (taxes.get(tax_rate_bps) ?? 0) + tax_minor);
  const sums: [string, number, string][] = [
    ['Net', invoice.net_minor, FONT],
    ...[...taxes].map(([bps, tax]): [string, number, string] => [`Tax ${bps / 100}%`, tax, FONT]),
    ['Total', invoice.total_minor, BOLD],
  ];
  for (const [term, amount_minor, font] of sums)
    row(document, ['', '', term, '', formatMoney({ amount_minor, currency })], font);
}

/** What was paid and refunded, and what remains to be paid, or of the payments. */
function movements(document: Document, invoice: InvoiceRow, money: InvoiceMoney[], timeZone: string): void {
  const line = (term: string, amount_minor: number, font: string): void =>
    row(document, [term, '', '', '', formatMoney({ amount_minor, currency: invoice.currency })], font);
  const isOpen = invoice.status === 'open' || invoice.status === 'authorised';
  if (money.length > 0) rule(document);
  for (const { kind, amount_minor, at, ...means } of money) {
    const day = dayInWords(at, timeZone);
    if (kind === 'payment') line(`Paid on ${day} by ${meansOf(means)}`, amount_minor, FONT);
    else line(`Refunded on ${day}`, -amount_minor, FONT);
  }
  if (isOpen) return line('Amount due', outstandingOf(invoice), BOLD);
  if (!money.some(({ kind }) => kind === 'refund')) return;
  const kept = money.reduce(
    (sum, { kind, amount_minor }) => sum + (kind === 'payment' ? 1 : -1) * amount_minor,
    0,
  );
  line('Paid after refunds', kept, BOLD);
}

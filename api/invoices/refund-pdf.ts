import type { InvoiceRow } from '../../db/repositories/billing/invoice-queries.js';
import type { Payer } from '../../db/repositories/billing/payer-queries.js';
import type { RefundDocument } from '../../db/repositories/billing/refund-queries.js';
import type { Workspace } from '../../db/rows.js';
import { splitOverTaxCodes, type TaxPart } from '../../domain/accounting.js';
import { formatMoney } from '../../domain/display.js';
import { BOLD, dayIn, FONT, renderDocument, row, rule, titles } from './pdf-layout.js';

/**
 * A refund as PDF: a credit note over its part of the invoice, with the tax of that part as in the accounting system.
 * Money that was never billed, such as a late payment, has a line without tax.
 */
export function renderRefund(
  refund: RefundDocument,
  { invoice, workspace, payer }: { invoice: InvoiceRow; workspace: Workspace; payer: Payer },
): Promise<Buffer> {
  const { currency, accounting_reference } = invoice;
  const { amount_minor, billed_minor, settled_at } = refund;
  const money = (minor: number): string => formatMoney({ amount_minor: minor, currency });
  const kind = billed_minor > 0 ? 'Credit note' : 'Refund';
  const title = `${kind} for invoice ${accounting_reference}`;
  const facts: [string, string][] = [
    ['Billed to', payer.name],
    ['Date', dayIn(settled_at, workspace.time_zone)],
    ['Refund id', refund.id],
  ];
  const parts =
    billed_minor > 0
      ? splitOverTaxCodes({ amount_minor: billed_minor, currency }, creditedOf(refund, invoice))
      : [];
  const rest = amount_minor - billed_minor;
  return renderDocument({ title, workspace, created_at: settled_at, facts }, (document) => {
    titles(document);
    const line = (description: string, minor: number, tax: string): void =>
      row(document, [description, '1', money(minor), tax, money(minor)], FONT);
    for (const { tax_rate_bps, net_minor } of parts)
      line(`Refund for ${accounting_reference}`, net_minor, `${tax_rate_bps / 100}%`);
    if (rest > 0) line('Payment that was not due', rest, '');
    rule(document);
    const total = (term: string, minor: number, font: string): void =>
      row(document, ['', '', term, '', money(minor)], font);
    for (const { tax_rate_bps, tax_minor } of parts) total(`Tax ${tax_rate_bps / 100}%`, tax_minor, FONT);
    total('Refunded', amount_minor, BOLD);
  });
}

/** The lines whose tax a refund shares: those of its adjustment, or the invoice's. Amounts above zero. */
const creditedOf = ({ lines }: RefundDocument, invoice: InvoiceRow): TaxPart[] =>
  lines?.map((line) => ({ ...line, net_minor: -line.net_minor, tax_minor: -line.tax_minor })) ??
  invoice.lines;

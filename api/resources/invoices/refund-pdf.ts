import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Tx } from '../../../db/transaction.js';
import type { InvoiceRow } from '../../../db/queries/billing/invoice.js';
import type { RefundDocument } from '../../../db/queries/billing/refund.js';
import type { Workspace } from '../../../db/entities/workspaces.js';
import { splitOverTaxCodes, type TaxPart } from '../../../domain/accounting.js';
import { formatMoney } from '../../../domain/display.js';
import { shortReference } from '../../../domain/invoice-words.js';
import { BOLD, dayInWords, FONT, onOneLine, renderDocument, row, rule, titles } from './pdf-layout.js';
import { printedOf, type Printed } from './printed.js';

/** `Holdfast #5-R1`: a refund's document is numbered after its invoice. */
export const refundNumber = ({ number }: RefundDocument, invoice: InvoiceRow): string =>
  `${shortReference(invoice)}-R${number}`;

/** `Holdfast 5-R1.pdf` */
export const refundFileName = (refund: RefundDocument, invoice: InvoiceRow): string =>
  `${refundNumber(refund, invoice).replace('#', '')}.pdf`;

/** The document of a refund of an invoice. */
export async function refundPdf(tx: Tx, refund: RefundDocument, invoice: InvoiceRow): Promise<Buffer> {
  const workspace = (await findWorkspace(tx, invoice.workspace_id))!;
  return renderRefund(refund, { invoice, workspace, ...(await printedOf(tx, invoice)) });
}

/**
 * A refund as PDF: a credit note over its part of the invoice, with the tax of that part as in the accounting system.
 * Money that was never billed, such as a late payment, has a line without tax.
 */
function renderRefund(
  refund: RefundDocument,
  {
    invoice,
    workspace,
    seller,
    billedTo,
  }: { invoice: InvoiceRow; workspace: Workspace } & Omit<Printed, 'reason'>,
): Promise<Buffer> {
  const { currency, accounting_reference } = invoice;
  const { amount_minor, billed_minor, settled_at } = refund;
  const money = (minor: number): string => formatMoney({ amount_minor: minor, currency });
  const kind = billed_minor > 0 ? 'Credit note' : 'Refund';
  const title = `${kind} ${refundNumber(refund, invoice)}`;
  const facts: [string, string][] = [
    ['Invoice', `${accounting_reference} of ${dayInWords(invoice.created_at, workspace.time_zone)}`],
    ['Billed to', billedTo],
    ['Date', dayInWords(settled_at, workspace.time_zone)],
  ];
  if (refund.reason) facts.push(['Reason', onOneLine(refund.reason)]);
  facts.push(['Refund id', refund.id]);
  const parts =
    billed_minor > 0
      ? splitOverTaxCodes({ amount_minor: billed_minor, currency }, creditedOf(refund, invoice))
      : [];
  const describe = (rate: number): string =>
    (refund.lines ?? invoice.lines)
      .filter(({ tax_rate_bps }) => tax_rate_bps === rate)
      .map(({ description }) => onOneLine(description))
      .join('; ')
      .slice(0, 300);
  const rest = amount_minor - billed_minor;
  return renderDocument({ title, seller, created_at: settled_at, facts }, (document) => {
    titles(document);
    const line = (description: string, minor: number, tax: string): void =>
      row(document, [description, '1', money(minor), tax, money(minor)], FONT);
    for (const { tax_rate_bps, net_minor } of parts)
      line(`Refund: ${describe(tax_rate_bps)}`, net_minor, `${tax_rate_bps / 100}%`);
    if (rest > 0) line('Payment that was not due', rest, '');
    rule(document);
    const total = (term: string, minor: number, font: string): void =>
      row(document, ['', '', term, '', money(minor)], font);
    if (parts.length > 0)
      total(
        'Net',
        parts.reduce((sum, { net_minor }) => sum + net_minor, 0),
        FONT,
      );
    for (const { tax_rate_bps, tax_minor } of parts) total(`Tax ${tax_rate_bps / 100}%`, tax_minor, FONT);
    total('Refunded', amount_minor, BOLD);
  });
}

/** The lines whose tax a refund shares: those of its adjustment, or the invoice's. Amounts above zero. */
const creditedOf = ({ lines }: RefundDocument, invoice: InvoiceRow): TaxPart[] =>
  lines?.map((line) => ({ ...line, net_minor: -line.net_minor, tax_minor: -line.tax_minor })) ??
  invoice.lines;

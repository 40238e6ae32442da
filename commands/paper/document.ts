import type { InvoiceDocument } from '../../db/entities/invoices.js';
import { formatMoney } from '../../domain/display.js';
import { documentTitle } from '../../domain/invoice-document.js';
import { billedTo, taxNameOf } from '../../domain/invoice-parties.js';
import { taxPerRate, type InvoiceLine } from '../../domain/invoice.js';
import { BOLD, dayInWords, FONT, onOneLine, renderPaper, row, rule, titles, type Drawing } from './layout.js';

/** What a document is drawn from: one that was issued, or what is not issued yet. */
export interface DocumentPaper {
  document: Pick<
    InvoiceDocument,
    | 'kind'
    | 'number'
    | 'issued_at'
    | 'net_minor'
    | 'tax_minor'
    | 'total_minor'
    | 'lines'
    | 'terms'
    | 'voided_at'
  >;
  /** The name of a member or guest. */
  payer: string;
  /** Behind its title. */
  state: string | null;
}

type Drawn = DocumentPaper['document'];

/** A document as PDF with one or more pages, in its own time zone. It runs in a thread (drawing.ts). */
export function renderDocument({ document, payer, state }: DocumentPaper): Promise<Buffer> {
  const { terms, issued_at, kind } = document;
  const { time_zone, parties, supplied } = terms;
  const day = (at: string | Date): string => dayInWords(new Date(at), time_zone);
  const facts: [string, string][] = [
    ['Billed to', billedTo(parties, payer)],
    ['Date', day(issued_at)],
  ];
  if (supplied && kind !== 'credit_note') {
    const [from, to] = [supplied.from, supplied.to].map((at) =>
      at.length > 10 ? day(at) : dayInWords(new Date(at), 'UTC'),
    );
    facts.push(['Supplied', from === to ? from! : `${from} to ${to}`]);
  }
  if (kind === 'invoice' && terms.paid.length === 0) facts.push(['Due', day(terms.due_at)]);
  if (terms.booking) facts.push(['Booking', terms.booking]);
  facts.push(['Reference', terms.reference]);
  if (terms.reason) facts.push(['Reason', onOneLine(terms.reason)]);
  const title = documentTitle(document);
  const heading = state ? `${title} (${state})` : title;
  const head = { title, heading, seller: parties.seller, created_at: issued_at, facts };
  return renderPaper(head, [document, payer], (drawing) => {
    const tax = taxNameOf(parties);
    titles(drawing, tax);
    for (const line of document.lines) drawLine(drawing, line, terms.currency);
    rule(drawing);
    drawTotals(drawing, document, tax);
    if (kind === 'invoice') drawPayment(drawing, document, day);
  });
}

function drawLine(drawing: Drawing, line: InvoiceLine, currency: string): void {
  row(
    drawing,
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

/** The net, and for each rate its tax with what it is of. */
function drawTotals(
  drawing: Drawing,
  { lines, net_minor, total_minor, terms, kind }: Drawn,
  tax: string,
): void {
  const money = (amount_minor: number): string => formatMoney({ amount_minor, currency: terms.currency });
  row(drawing, ['', '', 'Net', '', money(net_minor)], FONT);
  for (const rate of taxPerRate(lines))
    row(
      drawing,
      [`${tax} ${rate.tax_rate_bps / 100}% of ${money(rate.net_minor)}`, '', '', '', money(rate.tax_minor)],
      FONT,
    );
  row(drawing, ['', '', kind === 'credit_note' ? 'Credited' : 'Total', '', money(total_minor)], BOLD);
}

/** What had been paid when it was issued; else how it can be paid. */
function drawPayment(drawing: Drawing, { terms, total_minor }: Drawn, day: (at: string) => string): void {
  const { paid, payment_instructions, currency } = terms;
  const line = (term: string, amount_minor: number, font: string): void =>
    row(drawing, [term, '', '', '', formatMoney({ amount_minor, currency })], font);
  for (const { method, amount_minor, at } of paid)
    line(`Paid on ${day(at)} by ${method.replaceAll('_', ' ')}`, amount_minor, FONT);
  if (paid.length > 0) return;
  line('Amount due', total_minor, BOLD);
  if (payment_instructions) row(drawing, [`How to pay\n${payment_instructions}`, '', '', '', ''], FONT);
}

import type { InvoiceDocument } from '../../../db/entities/invoices.js';
import { describedIn } from '../../../domain/bookings/words.js';
import { toInvoiceNumber } from '../../../domain/invoices/document.js';
import { describeMethod } from '../../../domain/invoices/words.js';
import { billedTo, taxName } from '../../../domain/invoices/parties.js';
import { ownReferenceIn, taxPerRate, type InvoiceLine } from '../../../domain/invoices/invoice.js';
import {
  BOLD,
  FONT,
  onOneLine,
  renderPdf,
  row,
  rule,
  titles,
  type Drawing,
  type FontName,
} from './layout.js';
import { getWords, type Words } from '../../../domain/words/words.js';

export interface DocumentPdfInput {
  document: Pick<
    InvoiceDocument,
    'kind' | 'number' | 'issued_at' | 'net_minor' | 'tax_minor' | 'total_minor' | 'lines' | 'terms'
  >;
  /** The name of a member or guest. */
  payer: string;
}

/** How a document refers to the invoice that it belongs to. */
const CORRECTS = { supplement: 'documents.adds_to', credit_note: 'documents.corrects' } as const;

type Drawn = DocumentPdfInput['document'];

/** Renders a document as PDF with one or more pages, in its own time zone. Runs in a thread (drawing.ts). */
export function renderDocument({ document, payer }: DocumentPdfInput): Promise<Buffer> {
  const { terms, issued_at, kind } = document;
  const { time_zone, parties, supplied, locale } = terms;
  const words = getWords(locale);
  const day = (at: string | Date): string => words.longDay(at, time_zone);
  const facts: [string, string][] = [
    [words.say('documents.billed_to'), billedTo(words, parties, payer)],
    [words.say('documents.date'), day(issued_at)],
  ];
  if (supplied && kind !== 'credit_note') {
    const [from, to] = [supplied.from, supplied.to].map((at) =>
      at.length > 10 ? day(at) : words.longDay(at),
    );
    facts.push([
      words.say('documents.supplied'),
      from === to ? from! : words.say('documents.days', { from: from!, to: to! }),
    ]);
  }
  if (kind === 'invoice' && terms.paid.length === 0)
    facts.push([words.say('documents.due'), day(terms.due_at)]);
  if (terms.booking) facts.push([words.say('documents.booking'), terms.booking]);
  if (kind !== 'invoice') facts.push([words.say(CORRECTS[kind]), toInvoiceNumber(document.number)]);
  const reference = ownReferenceIn(terms.reference);
  if (reference) facts.push([words.say('documents.reference'), reference]);
  if (terms.reason) facts.push([words.say('documents.reason'), onOneLine(terms.reason)]);
  const title = words.say(`documents.${kind}`, { number: document.number });
  const head = { words, title, seller: parties.seller, created_at: issued_at, time_zone, facts };
  return renderPdf(head, (drawing) => {
    const tax = taxName(parties);
    titles(drawing, words, tax);
    for (const line of document.lines) drawLine(drawing, words, line, terms.currency);
    rule(drawing);
    drawTotals(drawing, words, document, tax);
    if (kind === 'invoice') drawPayment(drawing, words, document, day);
  });
}

function drawLine(drawing: Drawing, words: Words, line: InvoiceLine, currency: string): void {
  row(
    drawing,
    [
      onOneLine(describedIn(words, line.description)),
      words.number(Number(line.quantity)),
      words.amount(line.unit_amount_minor, currency),
      `${words.number(line.tax_rate_bps / 100)}%`,
      words.amount(line.net_minor, currency),
    ],
    FONT,
  );
}

/** Draws the net amount, and for each rate its tax with the amount it applies to. */
function drawTotals(
  drawing: Drawing,
  words: Words,
  { lines, net_minor, total_minor, terms, kind }: Drawn,
  tax: string,
): void {
  const money = (amount_minor: number): string => words.amount(amount_minor, terms.currency);
  row(drawing, ['', '', words.say('documents.net'), '', money(net_minor)], FONT);
  for (const rate of taxPerRate(lines))
    row(
      drawing,
      [
        words.say('documents.tax_of', {
          tax,
          rate: words.number(rate.tax_rate_bps / 100),
          net: money(rate.net_minor),
        }),
        '',
        '',
        '',
        money(rate.tax_minor),
      ],
      FONT,
    );
  row(
    drawing,
    [
      '',
      '',
      words.say(kind === 'credit_note' ? 'documents.credited' : 'documents.total'),
      '',
      money(total_minor),
    ],
    BOLD,
  );
}

/** Draws what had been paid when the document was issued, otherwise how it can be paid. */
function drawPayment(
  drawing: Drawing,
  words: Words,
  { terms, total_minor }: Drawn,
  day: (at: string) => string,
): void {
  const { paid, payment_instructions, currency } = terms;
  const line = (term: string, amount_minor: number, font: FontName): void =>
    row(drawing, [term, '', '', '', words.amount(amount_minor, currency)], font);
  for (const { method, amount_minor, at } of paid)
    line(
      words.say('documents.paid_on', { day: day(at), means: describeMethod(words, { method, last4: null }) }),
      amount_minor,
      FONT,
    );
  if (paid.length > 0) return;
  line(words.say('documents.amount_due'), total_minor, BOLD);
  if (payment_instructions)
    row(drawing, [`${words.say('documents.how_to_pay')}\n${payment_instructions}`, '', '', '', ''], FONT);
}

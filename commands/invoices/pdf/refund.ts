import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import type { Refund } from '../../../db/queries/payments/refund.js';
import { billedTo, taxName, type InvoiceParties } from '../../../domain/invoices/parties.js';
import { BOLD, FONT, renderPdf, row, rule, titles } from './layout.js';
import type { Language } from '../../../domain/words/languages.js';
import { getWords } from '../../../domain/words/words.js';

export interface RefundPdfInput {
  refund: Refund;
  invoice: Pick<InvoiceRow, 'currency' | 'document_number'>;
  /** The reference of its booking. */
  booking: string | null;
  time_zone: string;
  parties: InvoiceParties;
  /** The name of a member or guest. */
  payer: string;
  locale: Language;
}

/**
 * Renders the refund of money that was never billed, such as a late payment, as PDF. It is a confirmation,
 * not a credit note. Runs in a thread (drawing.ts).
 */
export function renderRefund({
  refund,
  invoice,
  booking,
  time_zone,
  parties,
  payer,
  locale,
}: RefundPdfInput): Promise<Buffer> {
  const { amount_minor, settled_at, id } = refund;
  const words = getWords(locale);
  const amount = words.amount(amount_minor, invoice.currency);
  const facts: [string, string][] = [
    ...(invoice.document_number
      ? [[words.say('documents.of_invoice'), invoice.document_number] as [string, string]]
      : []),
    ...(booking ? [[words.say('documents.booking'), booking] as [string, string]] : []),
    [words.say('documents.refunded_to'), billedTo(words, parties, payer)],
    [words.say('documents.date'), words.longDay(settled_at, time_zone)],
    [words.say('documents.refund_id'), id],
  ];
  const head = {
    words,
    title: words.say('documents.refund'),
    seller: parties.seller,
    created_at: settled_at,
    time_zone,
    facts,
  };
  return renderPdf(head, (drawing) => {
    titles(drawing, words, taxName(parties));
    row(drawing, [words.say('documents.not_due'), '1', amount, '', amount], FONT);
    rule(drawing);
    row(drawing, ['', '', words.say('documents.refunded'), '', amount], BOLD);
  });
}

import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import type { Refund } from '../../../db/queries/payments/refund.js';
import { billedTo, taxNameOf, type InvoiceParties } from '../../../domain/invoices/parties.js';
import { BOLD, FONT, renderPaper, row, rule, titles } from './layout.js';
import type { Language } from '../../../domain/words/languages.js';
import { wordsOf } from '../../../domain/words/words.js';

/** What the confirmation of a refund is drawn from. */
export interface RefundPaper {
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
 * A refund of money that was never billed, such as a late payment, as PDF: a confirmation, and no credit
 * note. It runs in a thread (drawing.ts).
 */
export function renderRefund({
  refund,
  invoice,
  booking,
  time_zone,
  parties,
  payer,
  locale,
}: RefundPaper): Promise<Buffer> {
  const { amount_minor, settled_at, id } = refund;
  const words = wordsOf(locale);
  const amount = words.amount(amount_minor, invoice.currency);
  const facts: [string, string][] = [
    ...(invoice.document_number
      ? [[words.say('paper.of_invoice'), invoice.document_number] as [string, string]]
      : []),
    ...(booking ? [[words.say('paper.booking'), booking] as [string, string]] : []),
    [words.say('paper.refunded_to'), billedTo(words, parties, payer)],
    [words.say('paper.date'), words.longDay(settled_at, time_zone)],
    [words.say('paper.refund_id'), id],
  ];
  const head = {
    words,
    title: words.say('paper.refund'),
    seller: parties.seller,
    created_at: settled_at,
    time_zone,
    facts,
  };
  return renderPaper(head, (drawing) => {
    titles(drawing, words, taxNameOf(parties));
    row(drawing, [words.say('paper.not_due'), '1', amount, '', amount], FONT);
    rule(drawing);
    row(drawing, ['', '', words.say('paper.refunded'), '', amount], BOLD);
  });
}

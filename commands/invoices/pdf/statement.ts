import { billedTo } from '../../../domain/invoices/parties.js';
import {
  balanceDue,
  computeBalances,
  balanceEffect,
  sortEntries,
  describeTotal,
  type AccountEntry,
  type StatementContent,
} from '../../../domain/invoices/statement.js';
import { BOLD, FONT, renderPdf, row, rule } from './layout.js';
import { getWords, type WordKey } from '../../../domain/words/words.js';

export interface StatementPdfInput {
  statement: { number: string; issued_at: Date; content: StatementContent };
  /** The name of a member. */
  payer: string;
}

const ENTRIES = {
  invoice: 'documents.invoice',
  supplement: 'documents.supplement',
  credit_note: 'documents.credit_note',
  payment: 'documents.payment_of',
  refund: 'documents.refund_of',
  refund_failed: 'documents.refund_failed',
} as const satisfies Record<AccountEntry['kind'], WordKey>;

/** Renders a statement as PDF with one or more pages. Runs in a thread (drawing.ts). */
export function renderStatement({ statement, payer }: StatementPdfInput): Promise<Buffer> {
  const { number, issued_at, content } = statement;
  const { parties, from, to, open, opening, entries, time_zone, payment_instructions, locale } = content;
  const words = getWords(locale);
  const day = (of: string): string => words.longDay(of);
  const head = {
    words,
    title: words.say('documents.statement', { number }),
    seller: parties.seller,
    created_at: issued_at,
    time_zone,
    facts: [
      [words.say('documents.for'), billedTo(words, parties, payer)],
      [words.say('documents.date'), words.longDay(issued_at, time_zone)],
      [
        words.say('documents.period'),
        from === to ? day(from) : words.say('documents.days', { from: day(from), to: day(to) }),
      ],
    ] as [string, string][],
  };
  return renderPdf(head, (drawing) => {
    row(drawing, [describeTotal(words, open), '', '', '', ''], BOLD);
    if (open.length > 0) {
      row(
        drawing,
        [words.say('documents.to_pay'), '', words.say('documents.total'), '', words.say('documents.to_pay')],
        BOLD,
      );
      rule(drawing);
    }
    for (const item of open) {
      const { currency, total_minor, invoiced_on, due_on, is_past_due } = item;
      const what = words.say(is_past_due ? 'documents.item_was_due' : 'documents.item_due', {
        number: item.number,
        invoiced: day(invoiced_on),
        due: day(due_on),
      });
      const money = (minor: number): string => words.amount(minor, currency);
      row(drawing, [what, '', money(total_minor), '', money(balanceDue(item))], FONT);
    }
    if (open.length > 0 && payment_instructions)
      row(drawing, [`${words.say('documents.how_to_pay')}\n${payment_instructions}`, '', '', '', ''], FONT);
    row(drawing, ['', '', '', '', ''], FONT);
    row(drawing, [words.say('documents.in_period'), '', '', '', words.say('documents.amount')], BOLD);
    rule(drawing);
    const balances = computeBalances(opening, entries);
    const balance = (what: string, minor: number, currency: string): void =>
      row(drawing, [what, '', '', '', words.amount(minor, currency)], BOLD);
    for (const { currency, amount_minor } of balances)
      balance(words.say('documents.balance_before', { day: day(from) }), amount_minor, currency);
    if (entries.length === 0) row(drawing, [words.say('documents.nothing_happened'), '', '', '', ''], FONT);
    for (const entry of sortEntries(entries))
      row(
        drawing,
        [
          words.say('documents.entry', {
            day: day(entry.day),
            entry: words.say(ENTRIES[entry.kind], { number: entry.number }),
          }),
          '',
          '',
          '',
          words.amount(balanceEffect(entry), entry.currency),
        ],
        FONT,
      );
    for (const { currency, closing_minor } of balances)
      balance(words.say('documents.balance_after', { day: day(to) }), closing_minor, currency);
  });
}

import { billedTo } from '../../../domain/invoices/parties.js';
import {
  balanceOf,
  balancesOf,
  effectOf,
  inOrder,
  totalInWords,
  type AccountEntry,
  type StatementContent,
} from '../../../domain/invoices/statement.js';
import { BOLD, FONT, renderPaper, row, rule } from './layout.js';
import { wordsOf, type WordKey } from '../../../domain/words/words.js';

/** What a statement is drawn from. */
export interface StatementPaper {
  statement: { number: string; issued_at: Date; content: StatementContent };
  /** The name of a member. */
  payer: string;
}

const ENTRIES = {
  invoice: 'paper.invoice',
  supplement: 'paper.supplement',
  credit_note: 'paper.credit_note',
  payment: 'paper.payment_of',
  refund: 'paper.refund_of',
  refund_failed: 'paper.refund_failed',
} as const satisfies Record<AccountEntry['kind'], WordKey>;

/** A statement as PDF with one or more pages. It runs in a thread (drawing.ts). */
export function renderStatement({ statement, payer }: StatementPaper): Promise<Buffer> {
  const { number, issued_at, content } = statement;
  const { parties, from, to, open, opening, entries, time_zone, payment_instructions, locale } = content;
  const words = wordsOf(locale);
  const day = (of: string): string => words.longDay(of);
  const head = {
    words,
    title: words.say('paper.statement', { number }),
    seller: parties.seller,
    created_at: issued_at,
    time_zone,
    facts: [
      [words.say('paper.for'), billedTo(words, parties, payer)],
      [words.say('paper.date'), words.longDay(issued_at, time_zone)],
      [
        words.say('paper.period'),
        from === to ? day(from) : words.say('paper.days', { from: day(from), to: day(to) }),
      ],
    ] as [string, string][],
  };
  return renderPaper(head, (drawing) => {
    row(drawing, [totalInWords(words, open), '', '', '', ''], BOLD);
    if (open.length > 0) {
      row(
        drawing,
        [words.say('paper.to_pay'), '', words.say('paper.total'), '', words.say('paper.to_pay')],
        BOLD,
      );
      rule(drawing);
    }
    for (const item of open) {
      const { currency, total_minor, invoiced_on, due_on, is_past_due } = item;
      const what = words.say(is_past_due ? 'paper.item_was_due' : 'paper.item_due', {
        number: item.number,
        invoiced: day(invoiced_on),
        due: day(due_on),
      });
      const money = (minor: number): string => words.amount(minor, currency);
      row(drawing, [what, '', money(total_minor), '', money(balanceOf(item))], FONT);
    }
    if (open.length > 0 && payment_instructions)
      row(drawing, [`${words.say('paper.how_to_pay')}\n${payment_instructions}`, '', '', '', ''], FONT);
    row(drawing, ['', '', '', '', ''], FONT);
    row(drawing, [words.say('paper.in_period'), '', '', '', words.say('paper.amount')], BOLD);
    rule(drawing);
    const balances = balancesOf(opening, entries);
    const balance = (what: string, minor: number, currency: string): void =>
      row(drawing, [what, '', '', '', words.amount(minor, currency)], BOLD);
    for (const { currency, amount_minor } of balances)
      balance(words.say('paper.balance_before', { day: day(from) }), amount_minor, currency);
    if (entries.length === 0) row(drawing, [words.say('paper.nothing_happened'), '', '', '', ''], FONT);
    for (const entry of inOrder(entries))
      row(
        drawing,
        [
          words.say('paper.entry', {
            day: day(entry.day),
            entry: words.say(ENTRIES[entry.kind], { number: entry.number }),
          }),
          '',
          '',
          '',
          words.amount(effectOf(entry), entry.currency),
        ],
        FONT,
      );
    for (const { currency, closing_minor } of balances)
      balance(words.say('paper.balance_after', { day: day(to) }), closing_minor, currency);
  });
}

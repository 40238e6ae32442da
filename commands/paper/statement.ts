import { formatMoney } from '../../domain/display.js';
import { billedTo } from '../../domain/invoice-parties.js';
import { balanceOf, totalInWords, type AccountEntry, type StatementContent } from '../../domain/statement.js';
import { BOLD, dayInWords, FONT, renderPaper, row, rule } from './layout.js';

/** What a statement is drawn from. */
export interface StatementPaper {
  statement: { number: string; issued_at: Date; content: StatementContent };
  /** The name of a member. */
  payer: string;
}

const ENTRIES: Record<AccountEntry['kind'], (number: string) => string> = {
  invoice: (number) => `Invoice ${number}`,
  supplement: (number) => `Supplement ${number}`,
  credit_note: (number) => `Credit note ${number}`,
  payment: (number) => `Payment of ${number}`,
  refund: (number) => `Refund of ${number}`,
  cancelled: (number) => `Invoice ${number} cancelled`,
};

const day = (of: string): string => dayInWords(new Date(of), 'UTC');

/** A statement as PDF with one or more pages. It runs in a thread (drawing.ts). */
export function renderStatement({ statement, payer }: StatementPaper): Promise<Buffer> {
  const { number, issued_at, content } = statement;
  const { parties, from, to, open, entries, time_zone } = content;
  const head = {
    title: `Statement ${number}`,
    seller: parties.seller,
    created_at: issued_at,
    facts: [
      ['For', billedTo(parties, payer)],
      ['Date', dayInWords(issued_at, time_zone)],
      ['Period', from === to ? day(from) : `${day(from)} to ${day(to)}`],
    ] as [string, string][],
  };
  return renderPaper(head, [content, payer], (drawing) => {
    row(drawing, [totalInWords(open), '', '', '', ''], BOLD);
    if (open.length > 0) {
      row(drawing, ['To pay', '', 'Total', '', 'To pay'], BOLD);
      rule(drawing);
    }
    for (const item of open) {
      const { currency, total_minor, invoiced_on, due_on, is_past_due } = item;
      const what = `${item.number} of ${day(invoiced_on)}, ${is_past_due ? 'was due' : 'due'} on ${day(due_on)}`;
      const money = (amount_minor: number): string => formatMoney({ amount_minor, currency });
      row(drawing, [what, '', money(total_minor), '', money(balanceOf(item))], FONT);
    }
    row(drawing, ['', '', '', '', ''], FONT);
    row(drawing, ['In this period', '', '', '', 'Amount'], BOLD);
    rule(drawing);
    if (entries.length === 0) row(drawing, ['Nothing was invoiced or paid.', '', '', '', ''], FONT);
    for (const entry of entries)
      row(
        drawing,
        [`${day(entry.day)}: ${ENTRIES[entry.kind](entry.number)}`, '', '', '', formatMoney(entry)],
        FONT,
      );
  });
}

import test from 'ava';
import { getDocumentProxy } from 'unpdf';
import { draw } from '../../../commands/invoices/pdf/drawing.js';
import type { StatementContent } from '../../../domain/invoices/statement.js';
import { message } from '../../support/message.js';

/** The texts of a statement's first page, from the top. */
async function firstPageTexts(content: StatementContent) {
  const statement = { number: 'HH-S1', issued_at: new Date(), content };
  const pdf = await getDocumentProxy(
    new Uint8Array(await draw('ws_1', 'renderStatement', { statement, payer: 'Ada' })),
  );
  const { items } = await (await pdf.getPage(1)).getTextContent();
  return items.flatMap((each) => ('str' in each && each.str.trim() ? [each] : []));
}

/** The opening balances of a month's statements. */
const SEPTEMBER = {
  from: '2026-09-01',
  to: '2026-09-30',
  time_zone: 'Europe/London',
  parties: { seller: { name: 'Harbour House', details: null }, payer: null },
  locale: 'en' as const,
  payment_instructions: null,
  open: [],
  opening: [],
};
const ENTRY = { day: '2026-09-12', currency: 'GBP', amount_minor: 3_840 };
const entry = (day: string, what: string): string => message('documents.entry', { day, entry: what });

test('a statement subtracts payments below what they paid for', async (t) => {
  const lines = await firstPageTexts({
    ...SEPTEMBER,
    entries: [
      { ...ENTRY, kind: 'payment', number: 'HH-2' },
      { ...ENTRY, kind: 'supplement', number: 'HH-2-T1' },
      { ...ENTRY, kind: 'credit_note', number: 'HH-1-C1', day: '2026-09-11' },
    ],
  });
  t.deepEqual(
    lines
      .map(({ str }) => str)
      .filter((text) => /HH-\d|£/.test(text))
      .slice(1, -1),
    [
      entry('11 September 2026', message('documents.credit_note', { number: 'HH-1-C1' })),
      '–£38.40',
      entry('12 September 2026', message('documents.supplement', { number: 'HH-2-T1' })),
      '£38.40',
      entry('12 September 2026', message('documents.payment_of', { number: 'HH-2' })),
      '–£38.40',
    ],
  );
});

test('a statement has the balance before and after its period, for each currency', async (t) => {
  const lines = await firstPageTexts({
    ...SEPTEMBER,
    opening: [
      { currency: 'GBP', amount_minor: 1_000 },
      { currency: 'EUR', amount_minor: -500 },
    ],
    entries: [
      { ...ENTRY, kind: 'invoice', number: 'HH-2' },
      { ...ENTRY, kind: 'payment', number: 'HH-2', amount_minor: 1_840 },
    ],
  });
  const texts = lines.map(({ str }) => str);
  const before = message('documents.balance_before', { day: '1 September 2026' });
  t.deepEqual(texts.slice(texts.indexOf(before), -1), [
    before,
    '£10.00',
    before,
    '–€5.00',
    entry('12 September 2026', message('documents.invoice', { number: 'HH-2' })),
    '£38.40',
    entry('12 September 2026', message('documents.payment_of', { number: 'HH-2' })),
    '–£18.40',
    message('documents.balance_after', { day: '30 September 2026' }),
    '£30.00',
    message('documents.balance_after', { day: '30 September 2026' }),
    '–€5.00',
  ]);
});

test('an item of a statement takes one line, and no line overlaps another', async (t) => {
  const item = {
    currency: 'GBP',
    invoiced_on: '2026-09-12',
    due_on: '2026-09-26',
    total_minor: 1,
    paid_minor: 0,
  };
  const content = {
    ...SEPTEMBER,
    entries: [],
    open: ['HH-1', 'HH-2'].map((number) => ({ ...item, number, is_past_due: true })),
    payment_instructions:
      'By transfer to GB29 NWBK 6016 1331 9268 19, with the number of the invoice. '.repeat(3),
  };
  const lines = await firstPageTexts(content);
  const days = { invoiced: '12 September 2026', due: '26 September 2026' };
  t.true(lines.some(({ str }) => str === message('documents.item_was_due', { number: 'HH-1', ...days })));
  const left = lines
    .filter(({ transform }) => transform[4] < 60)
    .map(({ transform }) => Number(transform[5]));
  const gaps = left.slice(1).map((y, i) => left[i]! - y);
  t.true(
    gaps.every((gap) => gap > 8),
    gaps.join(' '),
  );
});

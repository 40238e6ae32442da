import test from 'ava';
import { getDocumentProxy } from 'unpdf';
import { draw } from '../../commands/paper/drawing.js';

test('an item of a statement is on one line, and no line is drawn over another', async (t) => {
  const item = {
    currency: 'GBP',
    invoiced_on: '2026-09-12',
    due_on: '2026-09-26',
    total_minor: 1,
    paid_minor: 0,
  };
  const parties = { seller: { name: 'Harbour House', details: null }, payer: null };
  const content = {
    from: '2026-09-01',
    to: '2026-09-30',
    time_zone: 'Europe/London',
    parties,
    entries: [],
    open: ['HH-1', 'HH-2'].map((number) => ({ ...item, number, is_past_due: true })),
    payment_instructions:
      'By transfer to GB29 NWBK 6016 1331 9268 19, with the number of the invoice. '.repeat(3),
  };
  const statement = { number: 'HH-S1', issued_at: new Date(), content };
  const pdf = await getDocumentProxy(
    new Uint8Array(await draw('ws_1', 'renderStatement', { statement, payer: 'Ada' })),
  );
  const { items } = await (await pdf.getPage(1)).getTextContent();
  const lines = items.flatMap((each) => ('str' in each && each.str.trim() ? [each] : []));
  t.true(lines.some(({ str }) => str === 'HH-1 of 12 September 2026, was due on 26 September 2026'));
  const left = lines
    .filter(({ transform }) => transform[4] < 60)
    .map(({ transform }) => Number(transform[5]));
  const gaps = left.slice(1).map((y, i) => left[i]! - y);
  t.true(
    gaps.every((gap) => gap > 8),
    gaps.join(' '),
  );
});

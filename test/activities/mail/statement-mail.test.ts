import test from 'ava';
import { layOut } from '../../../activities/mail/templates/layout.js';
import { renderStatementMail } from '../../../activities/mail/templates/statement.js';
import type { OpenInvoice } from '../../../db/queries/invoices/statement.js';
import type { StatementMail } from '../../../db/queries/mail/statement-mail.js';
import { monthBefore, calendarMonth } from '../../../domain/cycle.js';
import { formatDay } from '../../../domain/display.js';
import { nextStatementAfter } from '../../../domain/invoices/payer.js';
import { message } from '../../support/message.js';

const invoice = (n: number, changes: Partial<OpenInvoice> = {}): OpenInvoice => ({
  id: `inv_${n}`,
  number: n,
  document_number: `HH-${n}`,
  reference: '<Ada>',
  currency: 'GBP',
  invoiced_on: '2026-11-03',
  due_on: '2026-12-17',
  is_past_due: false,
  total_minor: 3_000,
  paid_minor: 0,
  pay_link_version: 1,
  ...changes,
});

const mail = (changes: Partial<StatementMail>): StatementMail => ({
  id: 'mail_1',
  workspace_id: 'ws_1',
  workspace_name: 'House',
  name: 'Acme',
  email: 'accounts@acme.example',
  locale: 'en',
  autopay_last4: null,
  month: '2026-11-01',
  open: [],
  entries: [],
  ...changes,
});

const day = (date: string): string => formatDay(new Date(date), 'UTC', new Date());

const render = (changes: Partial<StatementMail>) =>
  layOut(
    renderStatementMail(mail(changes), ({ id }) => `https://pay/${id}`),
    {
      name: 'House',
      logo_url: null,
      accent_color: null,
      is_speaker: true,
      contact_email: null,
      is_proven: false,
    },
  );

test('a statement has a total per currency, the overdue part of it, and a link to each invoice', async (t) => {
  const { to, subject, text, html } = await render({
    autopay_last4: '4242',
    open: [
      invoice(1, { is_past_due: true, due_on: '2026-11-17', paid_minor: 500 }),
      invoice(2, { currency: 'JPY' }),
    ],
    entries: [
      {
        day: '2026-11-05',
        kind: 'payment',
        number: 1,
        document_number: 'HH-1',
        reference: null,
        currency: 'GBP',
        amount_minor: 500,
      },
    ],
  });
  t.is(to, 'accounts@acme.example');
  t.is(subject, message('mail.statement_subject', { month: 'November 2026', name: 'House' }));
  t.true(
    text.includes(message('documents.total_past_due', { total: '£25.00 and JP¥3,000', late: '£25.00' })),
    text,
  );
  t.true(
    text.includes(
      `from ${day('2026-11-03')}, was due on ${day('2026-11-17')}; £30.00, £5.00 paid\nTo pay: £25.00`,
    ),
    text,
  );
  t.true(text.includes('View and pay invoice: https://pay/inv_2'));
  t.true(
    text.includes(`Payments and credits in November 2026:\n\n${day('2026-11-05')}, payment of HH-1: £5.00`),
    text,
  );
  t.true(text.includes('charged to your card ending in 4242'));
  t.false(html.includes('<Ada>'));
  t.true(text.includes('HH-1 — “<Ada>” from'), 'what the operator wrote is a quotation');
  t.is(html.match(/<a href=/g)!.length, 2);
});

test('a statement without open invoices says so, and a long one includes the unlisted invoices in its total', async (t) => {
  const entries = [
    {
      day: '2026-11-05',
      kind: 'refund',
      number: 1,
      document_number: 'HH-1',
      reference: null,
      currency: 'GBP',
      amount_minor: 500,
    },
  ] as const;
  t.true((await render({ entries: [...entries], autopay_last4: '4242' })).text.includes('Nothing is due.'));
  t.false((await render({ entries: [...entries], autopay_last4: '4242' })).text.includes('4242'));
  const { text } = await render({ open: Array.from({ length: 53 }, (_, n) => invoice(n)) });
  t.true(text.includes(message('documents.total_to_pay', { total: '£1,590.00' })));
  t.true(text.includes('And 3 more unpaid invoices'));
  t.is(text.match(/View and pay/g)!.length, 50);
});

test('statements start on the first of the next month, and end with the payment terms', (t) => {
  t.deepEqual(calendarMonth('2026-12-31'), { start: '2026-12-01', end: '2027-01-01' });
  t.deepEqual(monthBefore('2027-01-01'), { start: '2026-12-01', end: '2027-01-01' });
  const none = { payment_terms: null, next_statement_on: null };
  const has = { payment_terms: 14, next_statement_on: '2026-12-01' };
  t.is(nextStatementAfter({ monthly_statement: true, payment_terms: 0 }, none, '2026-11-30'), '2026-12-01');
  t.is(nextStatementAfter({ payment_terms: 30 }, has, '2026-12-05'), '2026-12-01', 'a late one is not lost');
  t.is(nextStatementAfter({ monthly_statement: true }, has, '2026-12-05'), '2026-12-01');
  t.is(nextStatementAfter({ monthly_statement: false }, has, '2026-12-05'), null);
  t.is(nextStatementAfter({ payment_terms: null }, has, '2026-12-05'), null);
  t.is(nextStatementAfter({}, none, '2026-12-05'), null);
  t.throws(() => nextStatementAfter({ monthly_statement: true }, none, '2026-11-30'), {
    code: 'validation_failed',
  });
});

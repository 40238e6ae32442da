import { DAY_MS } from '../../domain/durations.js';
import test from 'ava';
import { dayIn, calendarMonth } from '../../domain/cycle.js';
import { newMember } from '../support/people.js';
import { sweep } from '../support/invariants.js';
import { bookingBody } from '../support/bookings.js';
import { mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, uniqueEmail, type TestWorkspace } from '../support/workspaces.js';
import { runSubscriptionInvoices } from '../support/subscriptions.js';
import { message } from '../support/message.js';

async function newInvoice({ api }: TestWorkspace, payer: object, amount: number) {
  const { body } = await api.post('/v1/invoices', {
    ...payer,
    currency: 'GBP',
    due_at: new Date(Date.now() + 20 * DAY_MS).toISOString(),
    lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: amount, tax_code: 'ZERO' }],
  });
  return body;
}

const statementsTo = async (email: string) =>
  (await mailTo(email)).filter(({ subject }) => subject.startsWith('Statement for '));

const untilStatements = (email: string, count: number) =>
  until(async () => {
    const found = await statementsTo(email);
    return found.length >= count && found;
  });

const TERMS = { payment_terms: 14, monthly_statement: true };

test('only a payer with payment terms can have a monthly statement', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const body = { name: 'Acme', billing_email: uniqueEmail() };
  for (const refused of [
    await api.post('/v1/companies', { ...body, monthly_statement: true }),
    await api.patch(`/v1/members/${(await newMember(workspace)).id}`, { monthly_statement: true }),
  ])
    t.like(refused, {
      status: 422,
      body: { error: { code: 'validation_failed', param: 'monthly_statement' } },
    });
  const { body: company } = await api.post('/v1/companies', { ...body, ...TERMS });
  t.true(company.monthly_statement);
  const path = `/v1/companies/${company.id}` as const;
  t.false((await api.patch(path, { payment_terms: null })).body.monthly_statement, 'needs terms');
  const refused = await api.patch(path, { payment_terms: null, monthly_statement: true, name: 'Changed' });
  t.is(refused.status, 422);
  t.like((await api.patch(path, TERMS)).body, { ...TERMS, name: 'Acme' });
});

test('a monthly statement lists open amounts with payment links, payments and credits, once per payer and month', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const email = uniqueEmail();
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', billing_email: email, ...TERMS });
  const payer = { company_id: company.id };
  const [late, open, paid, voided] = [
    await newInvoice(workspace, payer, 10_000),
    await newInvoice(workspace, payer, 2_000),
    await newInvoice(workspace, payer, 3_000),
    await newInvoice(workspace, payer, 4_000),
  ];
  const cash = { amount_minor: 2_500, method: 'cash' };
  await api.post(`/v1/invoices/${late.id}/mark-paid`, cash);
  const { body: marked } = await api.post(`/v1/invoices/${paid.id}/mark-paid`, {
    ...cash,
    amount_minor: 3_000,
  });
  await api.post(`/v1/payments/${marked.payment.id}/refund`, { amount_minor: 700, reason: 'other' });
  await api.post(`/v1/invoices/${voided.id}/void`, {});
  await db.query(`UPDATE invoices SET due_at = now() - interval '2 days' WHERE id = $1`, [late.id]);
  // Paid at its checkout, so it is not on the account.
  const colleague = await newMember(workspace, { company_id: company.id });
  const room = await newRoom(api);
  const { body: booking } = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { booked_by: { member_id: colleague.id } }),
  );

  const [archived, erased, idle] = [
    await newMember(workspace),
    await newMember(workspace),
    await newMember(workspace),
  ];
  for (const member of [archived, erased, idle])
    t.is((await api.patch(`/v1/members/${member.id}`, TERMS)).status, 200);
  const own = await newInvoice(workspace, { member_id: archived.id }, 5_000);
  await newInvoice(workspace, { member_id: erased.id }, 6_000);
  await api.post(`/v1/members/${archived.id}/archive`);
  await api.delete(`/v1/members/${erased.id}`);

  const { time_zone } = (await api.get('/v1/workspace')).body;
  const month = calendarMonth(dayIn(time_zone, new Date()));
  await runSubscriptionInvoices(workspace, month.start);
  const runs = await Promise.all([1, 2, 3].map(() => runSubscriptionInvoices(workspace, month.end)));
  t.deepEqual(Object.keys(runs[0]!).toSorted(), ['created', 'skipped']);
  await runSubscriptionInvoices(workspace, month.end);
  const [statement, ...others] = await untilStatements(email, 1);
  t.deepEqual(others, []);
  const text: string = statement!.text.replaceAll('\r\n', '\n');
  t.true(text.includes(message('documents.total_past_due', { total: '£95.00', late: '£75.00' })), text);
  for (const [invoice, balance] of [
    [late, '75.00'],
    [open, '20.00'],
  ] as const) {
    t.true(text.includes(`${invoice.document_number} from `), text);
    const link = `${message('mail.view_and_pay')}: ${invoice.pay_url}`;
    t.true(text.includes(`${message('mail.to_pay')}: £${balance}\n${link}`), text);
    t.true(statement!.html.includes(`href="${invoice.pay_url}"`));
  }
  for (const entry of [
    `payment of ${late.document_number}: £25.00`,
    `payment of ${paid.document_number}: £30.00`,
    `refund of ${paid.document_number}: £7.00`,
    `${voided.document_number} was cancelled: £40.00`,
  ])
    t.true(text.includes(entry), entry);
  const { body: held } = await api.get(`/v1/invoices/${booking.invoice_id}`);
  t.is(held.document_number, null);
  t.false(text.includes(`Holdfast #${held.number}`) || text.includes(booking.reference));
  t.true(
    (await untilStatements(archived.email, 1))[0]!.text.includes(own.pay_url!),
    'an archived member still pays',
  );

  // The next month: what is still open, and none of this month's payments.
  const next = calendarMonth(month.end);
  await runSubscriptionInvoices(workspace, next.end);
  const second = (await untilStatements(email, 2)).find(({ subject }) => subject !== statement!.subject)!;
  t.true(second.text.includes(message('documents.total_past_due', { total: '£95.00', late: '£75.00' })));
  t.false(second.text.includes('payment of'));
  for (const member of [erased, idle]) t.deepEqual(await statementsTo(member.email), []);
  const mails = await db.query(
    `SELECT count(*)::int FROM mails WHERE workspace_id = $1 AND kind = 'monthly_statement'`,
    [workspace.id],
  );
  t.is(mails[0].count, 4);
  await api.post(`/v1/bookings/${booking.id}/cancel`, {});
  await sweep(t, workspace);
});

import test from 'ava';
import { issueStatement } from '../../../commands/invoices/issue-statement.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import type { Day } from '../../../domain/cycle.js';
import { ApiError } from '../../../domain/errors.js';
import { dayIn, dayAfter } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { findAccount } from '../../../db/queries/invoices/account.js';
import { computeBalances } from '../../../domain/invoices/statement.js';
import { disputablePayment } from '../../support/disputes.js';
import { openOffice, pageText } from '../../support/dashboard.js';
import { readPdf } from '../../support/pdf.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { readNotice, WebSession } from '../../support/web-session.js';
import { newWorkspace, uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';
import { message } from '../../support/message.js';

const today = (): string => dayIn('Europe/London', new Date());

const newInvoice = async ({ api }: TestWorkspace, payer: object, amount: number) =>
  (
    await api.post('/v1/invoices', {
      ...payer,
      currency: 'GBP',
      due_at: new Date(Date.now() + 20 * DAY_MS).toISOString(),
      lines: [{ description: 'Desk', quantity: 1, unit_amount_minor: amount, tax_code: 'ZERO' }],
    })
  ).body;

const readBytes = async (response: Response) => new Uint8Array(await response.arrayBuffer());

test('a statement shows what a company owed and paid when it was issued, by mail and PDF, and stays unchanged', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const billing_email = uniqueEmail();
  await api.patch('/v1/workspace', { payment_instructions: 'By transfer to GB29 NWBK 6016 1331 9268 19' });
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', billing_email });
  const [open, paid] = [
    await newInvoice(workspace, { company_id: company.id }, 5_000),
    await newInvoice(workspace, { company_id: company.id }, 3_000),
  ];
  await api.post(`/v1/invoices/${paid.id}/mark-paid`, { amount_minor: 3_000, method: 'bank_transfer' });
  const page = `${home}/companies/${company.id}`;
  const period = { from: today(), to: today() };
  const html = await session.getText(page);
  t.regex(pageText(html), /To pay £50\.00/);
  const issue = () => session.submitFormByAction(html, `${page}/statements`, { ...period, mailed: 'on' });
  const first = await issue();
  t.is(first.status, 302, pageText(await first.clone().text()));
  t.is(readNotice(first), `Statement issued. It is being emailed to ${billing_email}.`);
  await issue();
  t.is(
    (await db.query(`SELECT FROM statements WHERE workspace_id = $1`, [workspace.id])).length,
    1,
    'the form takes effect once',
  );
  const [, link, number] = /href="([^"]*\/statements\/[^"]*)">(\w+-S1)</.exec(await session.getText(page))!;
  const pdf = await readBytes(await session.get(link!));
  const { text } = await readPdf(pdf);
  const [openNumber, paidNumber] = [open.documents[0]!.number, paid.documents[0]!.number];
  for (const part of [
    message('documents.statement', { number: number! }),
    'Acme',
    message('documents.total_to_pay', { total: '£50.00' }),
    `${message('documents.how_to_pay')} By transfer to GB29 NWBK 6016 1331 9268 19`,
    `${openNumber} from `,
    `${message('documents.invoice', { number: paidNumber })} £30.00`,
    `${message('documents.payment_of', { number: paidNumber })} –£30.00`,
    message('documents.balance_after', { day: '' }),
  ])
    t.true(text.includes(part), `${part} in ${text}`);
  const [mail] = await until(async () => {
    const mails = await mailTo(billing_email);
    const found = mails.filter(({ subject }) => subject.startsWith(`Statement ${number}`));
    return found.length > 0 && found;
  });
  t.true(mail!.text.includes(message('documents.total_to_pay', { total: '£50.00' })), mail!.text);

  await api.post(`/v1/invoices/${open.id}/mark-paid`, { amount_minor: 5_000, method: 'cash' });
  const later = await readBytes(await session.get(link!));
  t.is((await readPdf(later)).text, text, 'what is paid later is not on it');
  await t.throwsAsync(
    db.query(`UPDATE statements SET content = '{}' WHERE workspace_id = $1 AND number = $2`, [
      workspace.id,
      number,
    ]),
    { message: /was issued and cannot be changed/ },
  );
  const { body: listed } = await api.get(`/v1/invoices/${open.id}/documents`);
  t.like(listed.data.at(-1), { kind: 'statement', number, total_minor: 5_000, voided_at: null });
  const { documents } = (await api.get(`/v1/invoices/${paid.id}`)).body;
  t.deepEqual(
    documents.map(({ kind }) => kind),
    ['invoice', 'statement'],
  );
});

test('the balance of an account is what is to be paid, whatever was paid, refunded, credited, voided and disputed', async (t) => {
  const { workspace } = await openOffice();
  const { api } = workspace;
  const member = await newMember(workspace);
  const payer = { company_id: null, member_id: member.id };
  const invoice = (amount: number) => newInvoice(workspace, { member_id: member.id }, amount);
  const pays = ({ id }: { id: string }, amount_minor: number) =>
    api.post(`/v1/invoices/${id}/mark-paid`, { amount_minor, method: 'cash' });
  const [partly, paid, credited, voided] = [
    await invoice(5_000),
    await invoice(3_000),
    await invoice(2_000),
    await invoice(1_000),
  ];
  await pays(partly, 1_200);
  await pays(paid, 3_000);
  const { body: payments } = await api.get('/v1/payments?kind=manual');
  const whole = payments.data.find((payment) => payment.amount_minor === 3_000)!;
  t.is((await api.post(`/v1/payments/${whole.id}/refund`, { amount_minor: 700 })).status, 200);
  await pays(credited, 2_000);
  const credit = await api.post(`/v1/invoices/${credited.id}/adjustments`, {
    lines: [{ description: 'A day less', quantity: 1, unit_amount_minor: -600, tax_code: 'ZERO' }],
    reason: 'Ill',
  });
  t.is(credit.status, 201);
  t.is((await api.post(`/v1/invoices/${voided.id}/void`, {})).status, 200);
  const { dispute, untilPayment } = await disputablePayment(workspace, { member_id: member.id });
  await dispute({ status: 'needs_response' });
  await untilPayment({ disputed_minor: 3_000 });
  const tomorrow = dayAfter(today() as Day);
  const balance = async () => {
    const account = await findAccount(db.manager, workspace.id, payer, { from: tomorrow, to: tomorrow });
    return account.opening;
  };
  t.deepEqual(await balance(), [{ currency: 'GBP', amount_minor: 3_800 }]);
  const now = await findAccount(db.manager, workspace.id, payer, {
    from: today() as Day,
    to: today() as Day,
  });
  t.deepEqual(now.opening, []);
  const [closing] = computeBalances(now.opening!, now.entries);
  t.is(closing!.closing_minor, 3_800);
});

test('members get statements of their own account only, and nobody gets an empty one', async (t) => {
  const workspace = await newWorkspace();
  const [ada, bob] = [await newMember(workspace), await newMember(workspace)];
  await newInvoice(workspace, { member_id: ada.id }, 2_500);
  const home = `/dashboard/${workspace.id}`;
  const page = `${home}/membership`;
  const period = { from: today(), to: today() };
  const [session, other] = [await WebSession.start(ada.email), await WebSession.start(bob.email)];
  t.is(readNotice(await session.submit(page, `${page}/statements`, period)), 'Statement issued.');
  const [link] = /\/dashboard\/[^"]*\/statements\/[^"]*pdf/.exec(await session.getText(page))!;
  t.is((await session.get(link!)).status, 200);
  t.is((await other.get(link!)).status, 404);
  const number = /\/statements\/[^>]*>(\w+-S1)</.exec(await session.getText(page))![1]!;
  const search = `${home}/search?q=${number.toLowerCase()}`;
  t.is((await session.get(search)).headers.get('location'), link, 'the search finds it by its number');
  t.is((await other.get(search)).status, 200, 'for those who may read it');
  const { status, text } = await (async () => {
    const refused = await other.submit(page, `${page}/statements`, period);
    return { status: refused.status, text: pageText(await refused.text()) };
  })();
  t.is(status, 422);
  t.regex(text, /The statement would be empty/);
  const own = `${home}/members/${ada.id}/statements`;
  t.is((await other.post(own, { ...period, form_id: 'x' })).status, 403);
  const wrong = await session.submit(page, `${page}/statements`, { from: today(), to: dayAfter(today()) });
  t.regex(pageText(await wrong.text()), /last day must not be in the future/i);
});

test('a payer has at most 50 statements in 24 hours, as each is kept permanently', async (t) => {
  const { workspace } = await openOffice();
  const { body: company } = await workspace.api.post('/v1/companies', { name: 'Acme' });
  await newInvoice(workspace, { company_id: company.id }, 5_000);
  const payer = { company_id: company.id, member_id: null };
  const day = today() as Day;
  const issue = (tx: Tx) => issueStatement(tx, { workspace_id: workspace.id, payer, from: day, to: day });
  await transaction(db, async (tx) => {
    for (let n = 0; n < 50; n++) await issue(tx);
  });
  const { code } = await t.throwsAsync<ApiError>(transaction(db, issue), { instanceOf: ApiError });
  t.is(code, 'rate_limited');
});

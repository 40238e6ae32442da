import test from 'ava';
import { recordDisputes } from '../../commands/payments/disputes.js';
import { findAccount } from '../../db/queries/invoices/account.js';
import { findStatement } from '../../db/queries/invoices/statement.js';
import { findMoneyOfDays } from '../../db/queries/workspaces/dashboard.js';
import { transaction } from '../../db/transaction.js';
import { dayIn, type Day } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import {
  accountingLedger,
  newAccountingWorkspace,
  openInvoice,
  untilInAccounting,
  withAccountingFaults,
  type AccountingWorkspace,
} from '../support/accounting.js';
import { confirmedBooking, hoursLater, pendingBooking } from '../support/bookings.js';
import { openOffice, pageText } from '../support/dashboard.js';
import { disputablePayment } from '../support/disputes.js';
import { sweep } from '../support/invariants.js';
import { changeByLink } from '../support/pending-change-calls.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { WebSession } from '../support/web-session.js';
import { findOwnerEmail, type TestWorkspace } from '../support/workspaces.js';

const ZONE = 'Europe/London';
/** Noon a few days ago. */
const daysAgo = (days: number): Date =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - (days - 0.5) * DAY_MS);
const localDay = (at: Date | string): Day => dayIn(ZONE, new Date(at));
/** The day before and the day after a time. */
const around = (at: Date): [Date, Date] => [new Date(at.getTime() - DAY_MS), new Date(at.getTime() + DAY_MS)];

const markPaid = ({ api }: TestWorkspace, id: string, amount_minor: number, paid_at?: Date) =>
  api.post(`/v1/invoices/${id}/mark-paid`, {
    amount_minor,
    method: 'bank_transfer',
    ...(paid_at && { paid_at: paid_at.toISOString() }),
  });

/** The reconciliation report for these times. */
async function reconcile({ api }: TestWorkspace, from: Date, to: Date) {
  const { status, body } = await api.get(
    `/v1/reconciliation?from=${from.toISOString()}&to=${to.toISOString()}`,
  );
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

/** The payments in a workspace's books: their amounts with their days, by day. */
async function paidInBooks(workspace: AccountingWorkspace): Promise<[number, string][]> {
  const { payments } = await accountingLedger(workspace);
  return payments!
    .map(({ Amount, Date: date }): [number, string] => [
      Amount,
      new Date(Number(/\d+/.exec(date)![0])).toISOString().slice(0, 10),
    ])
    .toSorted(([, one], [, other]) => one.localeCompare(other));
}

const untilBooksAgree = (invoiceId: string) =>
  until(async () => {
    const due = await db.query(`SELECT FROM accounting_due WHERE invoice_id = $1`, [invoiceId]);
    return due.length === 0;
  });

test('a month-old transfer that is recorded today has its own date in every list, export and sum', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api, id: workspace_id } = workspace;
  const came = daysAgo(39);
  const invoice = await openInvoice(workspace);
  const { body: paid } = await markPaid(workspace, invoice.id, 12_000, came);
  t.is(paid.invoice.status, 'paid');
  t.is(paid.invoice.paid_at, came.toISOString());
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  await untilBooksAgree(invoice.id);
  const payer = { company_id: invoice.company_id!, member_id: null };
  const session = await WebSession.start(await findOwnerEmail(workspace_id));
  await session.enrol();
  const home = `/dashboard/${workspace_id}`;
  const lines = (csv: string): number => csv.trim().split('\r\n').length - 1;
  const days = (from: Date, to: Date): string => `from=${localDay(from)}&to=${localDay(to)}`;
  const times = (from: Date, to: Date): string => `from=${from.toISOString()}&to=${to.toISOString()}`;

  /** What each has of the payment in a period: the count, or the total of its parts. */
  const found: Record<string, (from: Date, to: Date) => Promise<number>> = {
    'GET /v1/payments': async (from, to) =>
      (await api.get(`/v1/payments?${times(from, to)}`)).body.data.length,
    'the list of payments': async (from, to) =>
      (await session.getText(`${home}/payments?${days(from, to)}`)).split(paid.payment.id).length > 1 ? 1 : 0,
    'payments.csv': async (from, to) =>
      lines(await session.getText(`${home}/payments.csv?${days(from, to)}`)),
    'the ledger of a reconciliation': async (from, to) =>
      (await reconcile(workspace, from, to)).totals.ledger / 12_000,
    'the books of a reconciliation': async (from, to) =>
      (await reconcile(workspace, from, to)).totals.accounting / 12_000,
    'a statement on demand': async (from, to) => {
      const period = { from: localDay(from), to: localDay(to) };
      const { entries } = await findAccount(db.manager, workspace_id, payer, period);
      return entries.filter(({ kind }) => kind === 'payment').length;
    },
    'a monthly statement': async (from, to) => {
      const month = { start: localDay(from), end: localDay(to) };
      const { entries } = await findStatement(db.manager, workspace_id, payer, month);
      return entries.filter(({ kind }) => kind === 'payment').length;
    },
    'the books': async (from, to) =>
      (await paidInBooks(workspace)).filter(([, day]) => day >= localDay(from) && day <= localDay(to)).length,
  };
  for (const [name, count] of Object.entries(found)) {
    t.is(await count(...around(came)), 1, `${name}: on its day`);
    t.is(await count(...around(new Date())), 0, `${name}: not on the day on which it was recorded`);
  }
  const membership = { workspace_id, time_zone: ZONE, currency: 'GBP' };
  t.like(await findMoneyOfDays(db.manager, membership), {
    today: { received_minor: 0 },
    week: { received_minor: 0 },
  });
  t.regex(pageText(await session.getText(home)), /£0\.00 received today/);
  const [row] = (await session.getText(`${home}/invoices.csv`)).trim().split('\r\n').slice(1);
  t.true(row!.includes(localDay(came)), row);

  const created = async (from: Date, to: Date) => {
    const query = `created_from=${from.toISOString()}&created_to=${to.toISOString()}`;
    return (await api.get(`/v1/payments?${query}`)).body.data.length;
  };
  t.is(await created(...around(new Date())), 1, 'an incremental reader finds what was recorded since');
  t.is(await created(...around(came)), 0);
  t.deepEqual((await reconcile(workspace, ...around(came))).differences, []);
  await sweep(t, workspace);
});

test('yesterday’s money counts for the week, not for today', async (t) => {
  const { workspace, session, home } = await openOffice();
  const invoice = await openInvoice(workspace);
  await markPaid(workspace, invoice.id, 5_000, daysAgo(2));
  await markPaid(workspace, invoice.id, 3_000);
  const words = pageText(await session.getText(home));
  t.regex(words, /£30\.00 received today/);
  t.regex(words, /£80\.00 received in the last 7 days/);
});

test('money that a bank withdraws counts on the day on which it moved', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { id, dispute, untilPayment } = await disputablePayment(workspace);
  await dispute({ status: 'needs_response' });
  await untilPayment({ disputed_minor: 3_000 });
  await db.query(
    `UPDATE payments SET created_at = created_at - interval '40 days', paid_at = paid_at - interval '40 days',
       settled_at = settled_at - interval '40 days' WHERE id = $1`,
    [id],
  );
  t.regex(pageText(await session.getText(home)), /£0\.00 received today £30\.00 withdrawn by banks/);
  t.is((await reconcile(workspace, ...around(new Date()))).totals.ledger, -3_000);
});

test('an invoice paid in parts has a payment for each in the books, on its day, and is paid on the latest of these days', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const [first, second] = [daysAgo(39), daysAgo(20)];
  const invoice = await openInvoice(workspace);
  // Recorded in the other order.
  await markPaid(workspace, invoice.id, 7_000, second);
  const { body } = await markPaid(workspace, invoice.id, 5_000, first);
  t.is(body.invoice.paid_at, second.toISOString());
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  await untilBooksAgree(invoice.id);
  t.deepEqual(await paidInBooks(workspace), [
    [50, localDay(first)],
    [70, localDay(second)],
  ]);
  await api.post(`/v1/payments/${body.payment.id}/refund`, { amount_minor: 2_000 });
  await untilInAccounting(workspace, 'TH-1-C1', ({ Status }) => Status === 'PAID');
  await untilBooksAgree(invoice.id);
  t.deepEqual((await paidInBooks(workspace)).at(-1), [20, localDay(new Date())]);

  const borders = [daysAgo(45), daysAgo(30), daysAgo(10), new Date(Date.now() + DAY_MS)];
  const totals = await Promise.all(
    borders.slice(1).map(async (to, n) => (await reconcile(workspace, borders[n]!, to)).totals),
  );
  t.deepEqual(totals, [
    { ledger: 5_000, processor: 0, accounting: 5_000 },
    { ledger: 7_000, processor: 0, accounting: 7_000 },
    { ledger: -2_000, processor: 0, accounting: -2_000 },
  ]);
  const whole = await reconcile(workspace, borders[0]!, borders.at(-1)!);
  t.deepEqual(whole.totals, { ledger: 10_000, processor: 0, accounting: 10_000 });
  t.deepEqual(whole.differences, []);
  await sweep(t, workspace);
});

test('a lost response to one of several payments in the books creates no second one', async (t) => {
  const workspace = await newAccountingWorkspace();
  const days = [39, 30, 20].map(daysAgo);
  const invoice = await openInvoice(workspace);
  const lost = (times: number) => ({
    method: 'POST',
    path: '/api.xro/2.0/Payments',
    status: 0,
    after_effect: true,
    times,
  });
  await withAccountingFaults(workspace, { fail: [lost(2)] }, async () => {
    for (const day of days) await markPaid(workspace, invoice.id, 4_000, day);
    await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
    await untilBooksAgree(invoice.id);
  });
  t.deepEqual(
    await paidInBooks(workspace),
    days.map((day) => [40, localDay(day)]),
  );
});

test('documents are dated when they are issued, not when their money arrived, and no supplement is dated before its invoice', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  const before = new Date(Date.now() - 60_000).toISOString();
  const cash = { method: 'cash', amount_minor: 3_000, paid_at: daysAgo(39).toISOString() };
  t.is((await api.post(`/v1/bookings/${booking.id}/payments`, cash)).status, 201);
  const end_at = hoursLater(booking.end_at, 1);
  const longer = await changeByLink(t, api, booking.id, { end_at });
  const taken = await api.post(`/v1/bookings/${booking.id}/payments`, {
    ...cash,
    paid_at: daysAgo(41).toISOString(),
    pending_change_id: longer.id,
  });
  t.is(taken.status, 201, JSON.stringify(taken.body));
  const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id!}`);
  t.deepEqual(
    invoice.documents.map(({ kind }) => kind),
    ['invoice', 'supplement'],
  );
  const [main, supplement] = invoice.documents.map(({ issued_at }) => issued_at);
  t.true(main! > before && supplement! >= main!, `${main}, ${supplement}`);
  t.is(invoice.paid_at, daysAgo(39).toISOString());
  await sweep(t, workspace);
});

test('a credit note for money that a bank took long ago is dated when it is issued', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const { body } = await workspace.api.get(`/v1/payments?booking_id=${booking.id}`);
  const payment = body.data[0]!;
  const took = daysAgo(3);
  await transaction(db, (tx) =>
    recordDisputes(tx, payment.id, [
      {
        id: `dp_${payment.id}`,
        payment_intent_id: payment.processor_payment_intent_id!,
        status: 'open',
        amount_minor: 3_000,
        reason: 'fraudulent',
        evidence: 'none',
        due_by: null,
        created_at: took,
        movements: [{ id: `txn_${payment.id}`, amount_minor: -3_000, created_at: took }],
      },
    ]),
  );
  const note = await untilInAccounting(workspace, 'TH-1-C1', ({ Status }) => Status === 'PAID');
  t.true(note.DateString.startsWith(localDay(new Date())), note.DateString);
  t.true(
    (await paidInBooks(workspace)).some(([amount, day]) => amount === 30 && day === localDay(took)),
    'its refund is of the day on which the money moved',
  );
});

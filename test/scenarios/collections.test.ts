import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import test from 'ava';
import { newId } from '../../db/ids.js';
import { findPaymentCauses } from '../../db/queries/payments/refund.js';
import { sweep } from '../support/invariants.js';
import {
  AUTHENTICATION,
  newInvoice,
  newPayer,
  PENDING,
  saveCard,
  sessionIn,
  SOFT_DECLINE,
  successfulCharges,
} from '../support/payers.js';
import { anonymous } from '../support/api-client.js';
import { mailTo, processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import type { Invoice } from '../support/api-bodies.js';
import { openLink } from '../support/links.js';
import { message } from '../support/message.js';

/** Lets days pass for an invoice, and makes its run decide again. */
async function passDays(invoiceId: string, days: number): Promise<void> {
  const shift = `interval '${days} days'`;
  await db.query(`UPDATE invoices SET due_at = due_at - ${shift} WHERE id = $1`, [invoiceId]);
  await db.query(`UPDATE checkouts SET created_at = created_at - ${shift} WHERE invoice_id = $1`, [
    invoiceId,
  ]);
  await db.query(
    `UPDATE collections SET started_at = started_at - ${shift}, reminded_until = reminded_until - ${shift},
            mailed_at = mailed_at - ${shift}, notify_at = now() WHERE invoice_id = $1`,
    [invoiceId],
  );
}

/** Waits until an invoice matches. */
const untilInvoice = (
  { api }: TestWorkspace,
  id: string,
  expected: (invoice: Invoice) => boolean | string | null,
) =>
  until(async () => {
    const { body } = await api.get(`/v1/invoices/${id}`);
    return expected(body) && body;
  });

/**
 * Waits until the run of a collection has ended, which the invoice shows as soon as nothing is outstanding.
 */
const untilRunEnded = (id: string): Promise<unknown> =>
  until(async () => {
    const [{ status }] = await db.query(`SELECT status FROM collections WHERE invoice_id = $1`, [id]);
    return status === 'ended';
  });

const listEvents = async ({ api }: TestWorkspace, type: string) =>
  (await api.get(`/v1/events?type=${type}`)).body.data.map(({ data }) => data.object);

test('a card on file is announced and charged at the due date, once', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, '4242424242424242');
  const { id } = await newInvoice(workspace, payer.id, 10);
  const scheduled = await untilInvoice(workspace, id, ({ collection }) => collection!.next_at !== null);
  t.like(scheduled.collection, { status: 'scheduled', attempts: 0 });
  t.is(Date.parse(scheduled.due_at) - Date.parse(scheduled.collection!.next_at!), 3 * DAY_MS);
  await passDays(id, 8);
  const mails = await until(async () => {
    const found = await mailTo(payer.email);
    return found.length === 2 && found;
  });
  t.true(mails.some(({ text }) => /will be charged to your card ending in 4242/.test(text)));
  // Someone has the hosted page open. It is closed before the card is charged.
  const { body: page } = await workspace.api.post(`/v1/invoices/${id}/checkout`);
  await passDays(id, 3);
  const paid = await untilInvoice(workspace, id, ({ status }) => status === 'paid');
  t.like(paid, { outstanding_minor: 0, collection: { status: 'ended', next_at: null, attempts: 1 } });
  t.is((await successfulCharges(workspace)).length, 1);
  const { body: payments } = await workspace.api.get(`/v1/payments?invoice_id=${id}`);
  t.not(payments.data[0]!.source, 'scheduler_self_heal', 'nothing had to be healed');
  const causes = await findPaymentCauses(db.manager, [payments.data[0]!.id]);
  t.is(causes.get(payments.data[0]!.id)?.kind, 'autopay');
  await t.throwsAsync(simulator('POST', `/_sim/checkout/${sessionIn(page.checkout_url)}/pay`, {}));
  const [receipt, ...rest] = await until(async () => {
    const found = (await mailTo(payer.email)).filter(({ id }) => !mails.some((mail) => mail.id === id));
    return found.length > 0 && found;
  });
  t.deepEqual(rest, [], 'nothing else is asked for');
  t.true(receipt!.subject.startsWith(message('mail.receipt_subject', { reference: 'TH-1' })));
  const said = message('mail.receipt', { amount: '£100\\.00', means: 'card ending in 4242', day: '.*' });
  t.regex(receipt!.text, new RegExp(said));
  await sweep(t, workspace);
});

test('a declined card is charged again after 1, 3 and 7 days, then the invoice is overdue, and a new card pays it', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, SOFT_DECLINE);
  const { id, pay_url } = await newInvoice(workspace, payer.id, 0);
  for (const [attempts, days] of [
    [1, 1],
    [2, 2],
    [3, 4],
  ] as const) {
    const { collection } = await untilInvoice(
      workspace,
      id,
      ({ collection }) => collection!.attempts === attempts && collection!.status === 'retrying',
    );
    if (attempts === 1) {
      // Without autopay no charge is planned any more, and none is announced.
      await workspace.api.patch(`/v1/companies/${payer.id}`, { autopay: false });
      await untilInvoice(workspace, id, (invoice) => invoice.collection!.status === 'reminding');
      await workspace.api.patch(`/v1/companies/${payer.id}`, { autopay: true });
      const { collection: again } = await untilInvoice(
        workspace,
        id,
        (invoice) => invoice.collection!.status === 'retrying',
      );
      t.deepEqual(again, collection);
    }
    const wait = (Date.parse(collection!.next_at!) - Date.now()) / DAY_MS;
    t.true(Math.abs(wait - days) < 0.01, `attempt ${attempts + 1} in ${wait} days`);
    const shown = await (await openLink(pay_url!)).text();
    t.regex(
      shown,
      /Your card was declined\. It will be charged again on .* unless the invoice has been paid/,
    );
    await passDays(id, days);
  }
  const overdue = await untilInvoice(workspace, id, ({ overdue_at }) => overdue_at !== null);
  t.like(overdue.collection, { status: 'overdue', attempts: 4, next_at: null });
  const failed = await listEvents(workspace, 'payment.failed');
  t.is(failed.length, 4);
  t.like(failed[0], { invoice_id: id, status: 'failed', reason: 'generic_decline', amount_minor: 10_000 });
  t.is((await listEvents(workspace, 'invoice.overdue')).length, 1);
  const declined = await until(async () => {
    const found = await mailTo(payer.email);
    return found.length === 5 && found;
  });
  t.is(declined.filter(({ subject }) => /declined/.test(subject)).length, 4);
  await passDays(id, 3);
  await saveCard(workspace, payer.id, '4242424242424242');
  const paid = await untilInvoice(workspace, id, ({ status }) => status === 'paid');
  t.is(paid.collection!.attempts, 5);
  t.is((await successfulCharges(workspace)).length, 1);
  const declines = await db.query(`SELECT id FROM card_declines WHERE workspace_id = $1`, [workspace.id]);
  t.deepEqual(declines, [], 'charges of a card on file are payments of their own');
  await sweep(t, workspace);
});

test('a bank that requires authentication ends the charges, and the payer pays by the link', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, AUTHENTICATION);
  const { id, pay_url } = await newInvoice(workspace, payer.id, 0);
  await untilInvoice(workspace, id, ({ collection }) => collection!.status === 'action_required');
  t.true((await (await openLink(pay_url!)).text()).includes(message('payer.card_needs_you')));
  t.like((await listEvents(workspace, 'payment.action_required'))[0], {
    invoice_id: id,
    reason: 'authentication_required',
  });
  const mail = await until(async () =>
    (await mailTo(payer.email)).find(({ subject }) =>
      subject.startsWith(message('mail.bank_asks_subject', { reference: 'TH-1' })),
    ),
  );
  t.true(mail.text.includes(pay_url!));
  await passDays(id, 8);
  const overdue = await untilInvoice(workspace, id, ({ overdue_at }) => overdue_at !== null);
  t.is(overdue.collection!.attempts, 1);
  const { body: page } = await anonymous('POST', pay_url!.slice(dev.baseUrl.length));
  await simulator('POST', `/_sim/checkout/${sessionIn(page)}/pay`, { card: AUTHENTICATION });
  await untilInvoice(workspace, id, ({ status }) => status === 'paid');
  t.is((await successfulCharges(workspace)).length, 1);
  await sweep(t, workspace);
});

test('a charge whose response is lost is made once, and nothing else settles the invoice in the meantime', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, '4242424242424242');
  const lost = { method: 'POST', path: '/v1/payment_intents', status: 503, times: 6, after_effect: true };
  const { id } = await withFaults(workspace, { fail: [lost], drop_webhooks: ['all'] }, async () => {
    const invoice = await newInvoice(workspace, payer.id, 0);
    await until(async () => (await successfulCharges(workspace)).length > 0);
    const cash = { amount_minor: 10_000, method: 'cash' };
    const [marked, voided, opened] = [
      await workspace.api.post(`/v1/invoices/${invoice.id}/checkout`),
      await workspace.api.post(`/v1/invoices/${invoice.id}/mark-paid`, cash),
      await workspace.api.post(`/v1/invoices/${invoice.id}/void`, {}),
    ];
    for (const { status } of [marked, voided, opened])
      t.true(status === 503 || status === 409, String(status));
    return invoice;
  });
  await untilInvoice(workspace, id, ({ status }) => status === 'paid');
  t.is((await successfulCharges(workspace)).length, 1);
  await sweep(t, workspace);
});

test('a charge that was recorded as refused but succeeds pays its invoice or is refunded', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, PENDING);
  const ids = [await newInvoice(workspace, payer.id, 0), await newInvoice(workspace, payer.id, 0)].map(
    ({ id }) => id,
  );
  for (const id of ids) {
    await until(async () => {
      const states = await db.query(`SELECT state FROM checkouts WHERE invoice_id = $1`, [id]);
      return states[0]?.state === 'processing';
    });
    const { payment_intents } = await processorLedger(workspace);
    const intent = payment_intents.find(({ metadata }) => metadata.invoice_id === id)!;
    const [charge] = await db.query(`SELECT * FROM checkouts WHERE invoice_id = $1`, [id]);
    await db.query(
      `INSERT INTO payments (id, workspace_id, invoice_id, kind, status, amount_minor, currency,
        method, account_id,
                             processor_payment_intent_id, reason)
       VALUES ($1, $2, $3, 'charge', 'failed', 10000, 'GBP', 'card', $4, $5, 'stolen_card')`,
      [newId('pay'), workspace.id, id, charge.account_id, intent.id],
    );
    await db.query(`UPDATE checkouts SET state = 'closed', refusal_code = 'stolen_card' WHERE id = $1`, [
      charge.id,
    ]);
    if (id === ids[1]) {
      const cash = { amount_minor: 10_000, method: 'cash' };
      t.is((await workspace.api.post(`/v1/invoices/${id}/mark-paid`, cash)).status, 200);
    }
    await simulator('POST', `/_sim/payment_intents/${intent.id}/settle`, {});
  }
  await untilInvoice(workspace, ids[0]!, ({ status }) => status === 'paid');
  await until(async () => {
    const { data } = (await workspace.api.get(`/v1/payments?invoice_id=${ids[1]}&kind=refund`)).body;
    return data[0]?.status === 'succeeded' && data[0].amount_minor === 10_000;
  });
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await sweep(t, workspace);
});

test('money that arrives after the invoice was paid otherwise is refunded, and a void invoice is not collected', async (t) => {
  const workspace = await newWorkspace();
  const payer = await newPayer(workspace, PENDING);
  const { id } = await newInvoice(workspace, payer.id, 0);
  await untilInvoice(
    workspace,
    id,
    ({ collection }) => collection!.status === 'charging' && collection!.next_at,
  );
  const [intent] = await until(async () => {
    const found = (await processorLedger(workspace)).payment_intents;
    return found.length > 0 && found[0]!.status === 'processing' && found;
  });
  await until(async () => {
    const [{ state }] = await db.query(`SELECT state FROM checkouts WHERE invoice_id = $1`, [id]);
    return state === 'processing';
  });
  const cash = { amount_minor: 10_000, method: 'cash' };
  t.is((await workspace.api.post(`/v1/invoices/${id}/mark-paid`, cash)).status, 200);
  // The run has looked at the charge once more, and waits an hour unless it is notified.
  await until(async () => {
    const waiting = await db.query(
      `SELECT FROM collections WHERE invoice_id = $1 AND notify_at > now() + interval '30 minutes'`,
      [id],
    );
    return waiting.length > 0;
  });
  await simulator('POST', `/_sim/payment_intents/${intent!.id}/settle`, {});
  await until(async () => {
    const { data } = (await workspace.api.get(`/v1/payments?invoice_id=${id}&kind=refund`)).body;
    return data[0]?.status === 'succeeded' && data[0].amount_minor === 10_000;
  });
  await untilRunEnded(id);
  const mail = await until(async () =>
    (await mailTo(payer.email)).find(({ subject }) => subject.startsWith('Refund for invoice')),
  );
  t.true(mail.text.includes(message('mail.late_not_due', { amount: '£100.00' })), mail.text);
  t.false(mail.text.includes(message('mail.credit_notes', { n: 1 })), 'it was never billed');
  t.deepEqual(mail.attachments, []);
  const other = await newInvoice(workspace, payer.id, 5);
  t.is((await workspace.api.post(`/v1/invoices/${other.id}/void`, {})).body.collection!.status, 'ended');
  await untilRunEnded(other.id);
  await passDays(other.id, 20);
  await sweep(t, workspace);
  t.is((await listEvents(workspace, 'invoice.overdue')).length, 0);
});

test('a requested reminder of an overdue invoice leaves `sent_at`, and the next automatic one waits a day', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const payer = await newPayer(workspace);
  const { id } = await newInvoice(workspace, payer.id, 10);
  const early = await api.post(`/v1/invoices/${id}/remind`);
  t.like(early, { status: 409, body: { error: { code: 'invoice_not_overdue' } } });
  const { sent_at } = await untilInvoice(workspace, id, (invoice) => invoice.sent_at);
  const overdueMails = async () =>
    (await mailTo(payer.email)).filter(({ subject }) => /is overdue/.test(subject));
  // An automatic reminder was sent yesterday. The next one, 3 days after the due date, is in an hour.
  await db.query(`UPDATE invoices SET due_at = now() - interval '71 hours' WHERE id = $1`, [id]);
  await db.query(
    `UPDATE collections SET started_at = now() - interval '20 days', mailed_at = now() - interval '1 day',
            reminded_until = now() - interval '1 day', next_at = now() + interval '1 hour',
            notify_at = now() + interval '1 hour' WHERE invoice_id = $1`,
    [id],
  );
  const sent = await api.post(`/v1/invoices/${id}/remind`);
  t.deepEqual(sent.body, { invoice_id: id, sent_to: payer.email });
  const mail = await until(async () => (await overdueMails())[0]);
  t.regex(mail.text, /was due on/);
  const reminded = await untilInvoice(
    workspace,
    id,
    ({ collection }) => Date.parse(collection!.next_at!) > Date.now() + 20 * HOUR_MS,
  );
  t.is(reminded.sent_at, sent_at);
});

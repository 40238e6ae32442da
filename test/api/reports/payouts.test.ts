import test from 'ava';
import { internal } from '../../support/api-client.js';
import { confirmedBooking } from '../../support/bookings.js';
import { disputablePayment } from '../../support/disputes.js';
import { sweep } from '../../support/invariants.js';
import { processorLedger, simulator, withFaults } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { newWorkspace, type TestWorkspace } from '../../support/workspaces.js';

/** Has the processor pay out what an account has. Returns the payout's id. */
const payOut = async ({ accountId }: TestWorkspace): Promise<string> =>
  (await simulator('POST', `/_sim/accounts/${accountId}/payout`)).id;

const readPayouts = async ({ id }: TestWorkspace): Promise<void> => {
  const { status, body } = await internal('run_job', { job: 'payouts', workspace_id: id });
  if (status !== 200) throw new Error(JSON.stringify(body));
};

test('a payout has its payments, refunds and disputes with our ids, the fees, and their sums', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const one = await disputablePayment(workspace);
  const other = await disputablePayment(workspace);
  t.is((await api.post(`/v1/payments/${one.id}/refund`, { amount_minor: 1_000 })).status, 200);
  await other.dispute();
  await other.untilPayment({ status: 'disputed' });
  const id = await payOut(workspace);
  await readPayouts(workspace);

  const { body: list } = await api.get('/v1/reports/payouts');
  t.is(list.data.length, 1);
  const [payout] = list.data;
  // Two charges of 30.00 with a fee of 1.5 % and 0.20: 0.45 + 0.20 = 0.65 each. A refund of 10.00 and a
  // dispute of 30.00 are without a fee: 60.00 − 10.00 − 30.00 − 1.30 = 18.70.
  t.like(payout, {
    id,
    status: 'pending',
    automatic: true,
    currency: 'GBP',
    amount_minor: 1_870,
    contents_known: true,
    gross_minor: 2_000,
    fee_minor: 130,
    failure_code: null,
  });
  t.deepEqual(payout!.contents, [
    { kind: 'payment', count: 2, gross_minor: 6_000, fee_minor: 130, net_minor: 5_870 },
    { kind: 'refund', count: 1, gross_minor: -1_000, fee_minor: 0, net_minor: -1_000 },
    { kind: 'dispute', count: 1, gross_minor: -3_000, fee_minor: 0, net_minor: -3_000 },
  ]);
  t.deepEqual((await api.get(`/v1/reports/payouts/${id}`)).body, payout);

  const { body: entries } = await api.get(`/v1/reports/payouts/${id}/entries`);
  t.is(entries.data.length, 4);
  const { body: refunds } = await api.get('/v1/payments?kind=refund');
  const [invoice, otherInvoice] = await Promise.all(
    [one, other].map(async ({ booking }) => (await api.get(`/v1/invoices/${booking.invoice_id}`)).body),
  );
  const about = (kind: string, invoiceId: string) =>
    entries.data.find((entry) => entry.kind === kind && entry.invoice_id === invoiceId);
  t.like(about('payment', invoice!.id), {
    gross_minor: 3_000,
    fee_minor: 65,
    net_minor: 2_935,
    payment_id: one.id,
    invoice_number: invoice!.documents[0]!.number,
    booking_id: one.booking.id,
    booking_reference: one.booking.reference,
  });
  t.like(about('refund', invoice!.id), { gross_minor: -1_000, payment_id: refunds.data[0]!.id });
  t.like(about('dispute', otherInvoice!.id), { gross_minor: -3_000, payment_id: other.id });

  const first = await api.get(`/v1/reports/payouts/${id}/entries?limit=3`);
  const rest = await api.get(`/v1/reports/payouts/${id}/entries?limit=3&cursor=${first.body.next_cursor}`);
  t.deepEqual([...first.body.data, ...rest.body.data], entries.data);
  await sweep(t, workspace);
});

test('a payout that fails is shown as failed, and its money is in the next one; a repeated read changes nothing', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  await confirmedBooking(api);
  const id = await payOut(workspace);
  await readPayouts(workspace);
  await simulator('POST', `/_sim/payouts/${id}`, { status: 'paid' });
  await readPayouts(workspace);
  t.is((await api.get(`/v1/reports/payouts/${id}`)).body.status, 'paid');
  await simulator('POST', `/_sim/payouts/${id}`, { status: 'failed' });
  const next = await payOut(workspace);
  await readPayouts(workspace);
  await readPayouts(workspace);

  t.like((await api.get(`/v1/reports/payouts/${id}`)).body, {
    status: 'failed',
    failure_code: 'account_closed',
    amount_minor: 2_935,
  });
  const { body } = await api.get(`/v1/reports/payouts/${next}`);
  t.deepEqual(body.contents, [
    { kind: 'other', count: 1, gross_minor: 2_935, fee_minor: 0, net_minor: 2_935 },
  ]);
  const { body: entries } = await api.get(`/v1/reports/payouts/${next}/entries`);
  t.like(entries.data[0], { payment_id: null, invoice_id: null, booking_id: null });
  const stored = `SELECT count(*)::int FROM payout_entries WHERE workspace_id = $1`;
  t.deepEqual(await db.query(stored, [workspace.id]), [{ count: 2 }]);
  await sweep(t, workspace);
});

test('an account that cannot be read stops no other, and is read again by the next run', async (t) => {
  const [good, bad] = await Promise.all([newWorkspace(), newWorkspace()]);
  const ids: string[] = [];
  for (const workspace of [good, bad]) {
    await confirmedBooking(workspace.api);
    ids.push(await payOut(workspace));
  }
  const fail = [{ path: '/v1/balance_transactions', status: 500, times: 100 }];
  await withFaults(bad, { fail }, async () => {
    const { body } = await internal('run_job', { job: 'payouts' });
    const failed = body.failed as unknown as { workspace_id: string }[];
    t.true(failed.some(({ workspace_id }) => workspace_id === bad.id));
    t.false(failed.some(({ workspace_id }) => workspace_id === good.id));
  });
  t.true((await good.api.get(`/v1/reports/payouts/${ids[0]}`)).body.contents_known);
  t.like((await bad.api.get(`/v1/reports/payouts/${ids[1]}`)).body, {
    amount_minor: 2_935,
    contents_known: false,
    contents: [],
  });
  t.is((await bad.api.get(`/v1/reports/payouts/${ids[0]}`)).status, 404);
  await readPayouts(bad);
  t.true((await bad.api.get(`/v1/reports/payouts/${ids[1]}`)).body.contents_known);
  const { payouts } = await processorLedger(bad);
  t.is(payouts.length, 1);
});

test('the payouts of an account that was disconnected count as unread until it can be read again', async (t) => {
  const workspace = await newWorkspace();
  const { api, accountId: account } = workspace;
  await confirmedBooking(api);
  const id = await payOut(workspace);
  const report = (type: string, object: object) =>
    simulator('POST', '/_sim/event', { type, object, account, via: 'connect' });
  const isUnread = async (): Promise<boolean> => {
    const sql = `SELECT payouts_read_at IS NULL AS unread FROM account_reads WHERE account_id = $1`;
    return (await db.query(sql, [account]))[0].unread;
  };
  await report('account.application.deauthorized', { id: 'ca_holdfast', object: 'application' });
  await readPayouts(workspace);
  t.true(await isUnread());
  await report('account.updated', { id: account, object: 'account', charges_enabled: true });
  await readPayouts(workspace);
  t.false(await isUnread());
  t.true((await api.get(`/v1/reports/payouts/${id}`)).body.contents_known);
});

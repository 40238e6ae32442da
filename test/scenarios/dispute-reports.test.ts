import test from 'ava';
import { accountingLedger, newAccountingWorkspace, untilInAccounting } from '../support/accounting.js';
import { findCharge, disputablePayment, disputeCharge } from '../support/disputes.js';
import { sweep } from '../support/invariants.js';
import { internal } from '../support/api-client.js';
import { bookingBody, pay } from '../support/bookings.js';
import { processorLedger, simulator, withFaults } from '../support/simulators.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import type { ProcessorLedger } from '../support/ledgers.js';
import { disputeEvents } from './dispute-calls.js';

/** Sends the dropped webhooks of an account in the given order. */
async function sendDropped(
  workspace: TestWorkspace,
  pick: (events: ProcessorLedger['events']) => ProcessorLedger['events'],
): Promise<void> {
  const { events } = await processorLedger(workspace);
  const dropped = events.filter(({ type }) => type.startsWith('charge.dispute.'));
  for (const { event_id } of pick(dropped)) await simulator('POST', '/_sim/event', { event_id });
}

test('events in any order, and repeated ones, lead to the processor’s current state', async (t) => {
  const workspace = await newWorkspace();
  const { id, dispute, move, untilDispute, payment } = await disputablePayment(workspace);
  const disputeId = await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const { id: made } = await dispute({ status: 'warning_needs_response' });
    for (const status of ['needs_response', 'under_review', 'won']) await move(made, { status });
    return made;
  });
  await sendDropped(workspace, (events) => events.toReversed());
  t.like(await untilDispute(disputeId, 'won'), { status: 'succeeded', disputed_minor: 0 });
  await sendDropped(workspace, (events) => events);
  const { webhooks_sent } = await processorLedger(workspace);
  t.true(webhooks_sent.length > 0);
  t.like(await payment(), { status: 'succeeded', disputed_minor: 0 });
  t.deepEqual(await disputeEvents(id), [
    ['disputed', 0],
    ['dispute_closed', 0],
  ]);
  await sweep(t, workspace);
});

test('a dispute that is reported before its payment is known is stored with the payment', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
  const payment_intent = await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const paid = await pay(booking);
    await disputeCharge((await findCharge(workspace, paid.payment_intent)).id);
    return paid.payment_intent as string;
  });
  await sendDropped(workspace, (events) => events);
  const verified = await internal('verify_payment', { payment_intent_id: payment_intent });
  t.is(verified.status, 200, JSON.stringify(verified.body));
  const payment = await until(async () => {
    const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
    return body.data[0]?.status === 'disputed' && body.data[0];
  });
  t.like(payment, { disputed_minor: 3_000, disputes: [{ status: 'open' }] });
  await sweep(t, workspace);
});

test('disputes whose webhooks were lost are found by the reconciliation, and their ends by self-heal', async (t) => {
  const workspace = await newWorkspace();
  const { dispute, move, untilDispute, untilPayment, payment } = await disputablePayment(workspace);
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const { id } = await dispute({ amount: 1_000 });
    t.deepEqual((await payment()).disputes, []);
    await sweep(t, workspace);
    t.like(await payment(), { status: 'disputed', disputed_minor: 1_000 });
    await move(id, { status: 'won' });
    await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
    await untilDispute(id, 'won');
    await untilPayment({ status: 'succeeded', disputed_minor: 0 });
  });
  await sweep(t, workspace);
});

test('the accounting system follows the money: a credit note when it is taken, an invoice when it is back', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { booking, dispute, move, untilPayment } = await disputablePayment(workspace);
  await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  const { id } = await dispute({ amount: 1_200 });
  await untilPayment({ status: 'disputed' });
  // £30.00 with £5.00 tax: £12.00 has £2.00.
  const taken = await untilInAccounting(workspace, 'TH-1-C1', ({ Status }) => Status === 'PAID');
  t.is(taken.Total, 12);
  t.is(taken.TotalTax, 2);
  await sweep(t, workspace);
  await move(id, { status: 'won' });
  await untilPayment({ status: 'succeeded' });
  const back = await untilInAccounting(workspace, 'TH-1-T1', ({ Status }) => Status === 'PAID');
  t.is(back.Total, 12);
  t.is(back.TotalTax, 2);
  const { payments } = await accountingLedger(workspace);
  t.deepEqual(payments!.map(({ Amount }) => Amount).sort(), [12, 12, 30]);
  const { body: invoice } = await workspace.api.get(`/v1/invoices/${booking.invoice_id}`);
  t.like(invoice, { status: 'paid', accounting_error: null });
  await sweep(t, workspace);
});

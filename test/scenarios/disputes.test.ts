import test from 'ava';
import { formatMoment } from '../../domain/display.js';
import { listTimeline } from '../../db/queries/bookings/timeline.js';
import { listAttentionItems } from '../../db/queries/workspaces/attention.js';
import { disputablePayment, disputeCharge } from '../support/disputes.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, newPayer, successfulCharges } from '../support/payers.js';
import { mailTo, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { pageText } from '../support/dashboard.js';
import { WebSession } from '../support/web-session.js';
import { newWorkspace, findOwnerEmail, type TestWorkspace } from '../support/workspaces.js';
import { disputeEvents } from './dispute-calls.js';
import { openLink } from '../support/links.js';
import { message } from '../support/message.js';

const untilOwnerMail = async (workspace: TestWorkspace, subject: RegExp) => {
  const owner = await findOwnerEmail(workspace.id);
  return until(async () => (await mailTo(owner)).find((mail) => subject.test(mail.subject)));
};

test('an inquiry takes no money and can be refunded, and as a dispute it takes it and cannot', async (t) => {
  const workspace = await newWorkspace();
  const { id, dispute, move, untilDispute, untilPayment } = await disputablePayment(workspace);
  const refund = () => workspace.api.post(`/v1/payments/${id}/refund`, { amount_minor: 500 });
  const inquiry = await dispute({ status: 'warning_needs_response' });
  const asked = await untilDispute(inquiry.id, 'inquiry');
  t.like(asked, { status: 'succeeded', disputed_minor: 0 });
  const due_by = new Date(inquiry.evidence_details.due_by * 1000).toISOString();
  t.deepEqual(asked.disputes, [
    {
      id: inquiry.id,
      status: 'inquiry',
      amount_minor: 3_000,
      reason: 'fraudulent',
      evidence: 'none',
      due_by,
      created_at: new Date(inquiry.created * 1000).toISOString(),
    },
  ]);
  const question = await untilOwnerMail(workspace, /A bank has sent an inquiry about a payment/);
  for (const part of [question.text, question.html])
    t.true(
      part.includes(formatMoment(new Date(due_by), 'Europe/London', new Date())) && part.includes(id),
      part,
    );
  t.regex(question.text, /did not make the payment\.[\s\S]*Useful evidence: The confirmation email/);
  t.is((await refund()).body.refund.status, 'succeeded');

  await move(inquiry.id, { status: 'needs_response' });
  await untilPayment({ status: 'disputed', disputed_minor: 3_000 });
  await untilOwnerMail(workspace, /A payment is disputed/);
  t.is((await refund()).body.error.code, 'amount_exceeds_refundable');

  const attention = () => listAttentionItems(db.manager, { workspace_id: workspace.id, limit: 10 });
  const [item] = await attention();
  t.like(item, { kind: 'disputed', reason: 'open', amount_minor: 3_000, currency: 'GBP' });
  t.is(item!.due_by!.toISOString().slice(0, 10), due_by.slice(0, 10));

  await move(inquiry.id, { status: 'won' });
  const won = await untilPayment({ status: 'partially_refunded', disputed_minor: 0 });
  t.like(won.disputes[0], { status: 'won', due_by: null });
  t.deepEqual(await attention(), []);
  t.is((await refund()).body.refund.status, 'succeeded');
  const events = await disputeEvents(id);
  t.deepEqual(events[0], ['disputed', 0]);
  t.deepEqual(events.at(-1), ['dispute_closed', 0]);
  t.true(events.some(([type, gone]) => type === 'disputed' && gone === 3_000));
  await sweep(t, workspace);
});

test('an inquiry that is closed was no dispute', async (t) => {
  const workspace = await newWorkspace();
  const { dispute, move, untilDispute } = await disputablePayment(workspace);
  const { id } = await dispute({ status: 'warning_needs_response' });
  await untilDispute(id, 'inquiry');
  await move(id, { status: 'warning_under_review' });
  await move(id, { status: 'warning_closed' });
  t.like(await untilDispute(id, 'won'), { status: 'succeeded', disputed_minor: 0 });
  await sweep(t, workspace);
});

test('several partial disputes of one payment each have their own end, and the disputed money is their sum', async (t) => {
  const workspace = await newWorkspace();
  const { id, booking, dispute, move, untilPayment, untilDispute } = await disputablePayment(workspace);
  const first = await dispute({ amount: 1_000 });
  const second = await dispute({ amount: 500 });
  await untilPayment({ status: 'disputed', disputed_minor: 1_500 });
  await move(first.id, { status: 'won' });
  await untilPayment({ status: 'disputed', disputed_minor: 500 });
  await move(second.id, { status: 'lost' });
  const lost = await untilDispute(second.id, 'lost');
  t.like(lost, { status: 'disputed', disputed_minor: 500 });
  t.deepEqual(lost.disputes.map(({ status, amount_minor }) => [status, amount_minor]).sort(), [
    ['lost', 500],
    ['won', 1_000],
  ]);
  await untilOwnerMail(workspace, /You lost a dispute/);
  t.is((await workspace.api.get(`/v1/payments/${id}`)).body.status, 'disputed');
  const told = (await listTimeline(db.manager, workspace.id, booking.id)).flatMap((entry) =>
    entry.kind.startsWith('dispute')
      ? [`${entry.kind} ${Object.values(entry.facts).toSorted().join(' ')}`]
      : [],
  );
  t.regex(told[0]!, /^dispute /);
  t.deepEqual(told.toSorted(), [
    'dispute 1000 fraudulent won',
    'dispute 500 fraudulent lost',
    'dispute_ended 1000 fraudulent won',
    'dispute_ended 500 fraudulent lost',
    'dispute_movement -1000',
    'dispute_movement -500',
    'dispute_movement 1000',
  ]);
  t.deepEqual(told.slice(-2), ['dispute_ended 1000 fraudulent won', 'dispute_ended 500 fraudulent lost']);
  await sweep(t, workspace);
});

test('a dispute that is lost, then won, then lost is followed each time', async (t) => {
  const workspace = await newWorkspace();
  const { id, dispute, move, untilPayment, untilDispute } = await disputablePayment(workspace);
  const { id: disputeId } = await dispute();
  await untilPayment({ status: 'disputed' });
  await move(disputeId, { status: 'lost' });
  await untilDispute(disputeId, 'lost');
  await move(disputeId, { status: 'won' });
  await untilDispute(disputeId, 'won');
  await untilPayment({ status: 'succeeded', disputed_minor: 0 });
  await move(disputeId, { status: 'lost' });
  t.like(await untilDispute(disputeId, 'lost'), { disputes: [{ id: disputeId }] });
  await untilPayment({ status: 'disputed', disputed_minor: 3_000 });
  const closed = (await disputeEvents(id)).filter(([type]) => type === 'dispute_closed');
  t.true(closed.length >= 3);
  await sweep(t, workspace);
});

test('a cancellation cannot refund a disputed payment, and the owner is told when the dispute is won', async (t) => {
  const workspace = await newWorkspace();
  const { id, booking, dispute, move, untilPayment, untilDispute } = await disputablePayment(workspace);
  const { id: disputeId } = await dispute();
  await untilPayment({ status: 'disputed' });
  const withdrawn = message('terms.disputed', { amount: '£30.00' });
  const shown = async (path: string) => (await openLink(`${booking.manage_url}/${path}`)).text();
  const shorter = await shown(`move?minutes=30&start=${booking.start_at}`);
  t.true(shorter.includes(`${withdrawn} ${message('payer.no_difference')}`), shorter);
  const over = await shown('cancel');
  t.true(over.includes(`${withdrawn} ${message('terms.none_refunded')}`), over);
  const live = await (await openLink(booking.manage_url!)).text();
  t.true(live.includes(withdrawn), live);
  const cancelled = await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  t.like(cancelled, { status: 200, body: { status: 'cancelled', refund: null } });
  const page = await (await openLink(booking.manage_url!)).text();
  t.true(page.includes(`${message('terms.paid', { amount: '£30.00' })} ${withdrawn}`), page);
  t.notRegex(page, /refunded/);
  const refund = () => workspace.api.post(`/v1/payments/${id}/refund`, {});
  const refused = await refund();
  t.is(refused.body.error.code, 'amount_exceeds_refundable');
  t.regex(refused.body.error.message, /disputed/);
  await move(disputeId, { status: 'won' });
  await untilDispute(disputeId, 'won');
  const { text } = await untilOwnerMail(workspace, /You won a dispute about a cancelled booking/);
  for (const part of [booking.id, id, '£30.00', 'make it now']) t.true(text.includes(part), text);
  await untilPayment({ status: 'succeeded' });
  t.is((await refund()).body.refund.status, 'succeeded');
  await sweep(t, workspace);
});

test('a dispute can be prevented or lost from the beginning', async (t) => {
  const workspace = await newWorkspace();
  const prevented = await disputablePayment(workspace);
  const { id } = await prevented.dispute({ status: 'prevented' });
  t.like(await prevented.untilDispute(id, 'prevented'), { status: 'succeeded', disputed_minor: 0 });
  t.deepEqual(await disputeEvents(prevented.id), [
    ['disputed', 0],
    ['dispute_closed', 0],
  ]);
  const lost = await disputablePayment(workspace);
  await lost.dispute({ status: 'lost' });
  await lost.untilPayment({ status: 'disputed', disputed_minor: 3_000 });
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  const readFacts = async ({ booking }: { booking: { id: string } }) => {
    const page = pageText(await session.getText(`/dashboard/${workspace.id}/bookings/${booking.id}`));
    return page.slice(0, page.indexOf('Timeline'));
  };
  t.regex(await readFacts(lost), /Dispute The dispute of £30\.00 was lost: the payer gets the money back/);
  t.notRegex(await readFacts(prevented), /Dispute/);
  await sweep(t, workspace);
});

test('the status follows the money, not the name of the dispute', async (t) => {
  const workspace = await newWorkspace();
  const { dispute, move, untilPayment, untilDispute } = await disputablePayment(workspace);
  const { id } = await dispute({ funds: 'reinstated' });
  t.like(await untilDispute(id, 'open'), { status: 'succeeded', disputed_minor: 0 });
  await move(id, { funds: 'withdrawn' });
  await untilPayment({ status: 'disputed', disputed_minor: 3_000 });
  // Won, but the money is not back yet.
  await move(id, { status: 'won', funds: 'withdrawn' });
  t.like(await untilDispute(id, 'won'), { status: 'disputed', disputed_minor: 3_000 });
  await move(id, { funds: 'reinstated' });
  await untilPayment({ status: 'succeeded', disputed_minor: 0 });
  await sweep(t, workspace);
});

test('a charge disputed before its collection has seen it succeed pays the invoice, and is not repeated', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const payer = await newPayer(workspace, '4242424242424242');
  const lost = { method: 'POST', path: '/v1/payment_intents', status: 503, times: 6, after_effect: true };
  const unseen = { fail: [lost], drop_webhooks: ['charge.succeeded'] };
  const { id } = await withFaults(workspace, unseen, async () => {
    const invoice = await newInvoice(workspace, payer.id, 0);
    const [charge] = await until(async () => {
      const charges = await successfulCharges(workspace);
      return charges.length > 0 && charges;
    });
    t.is((await api.get(`/v1/invoices/${invoice.id}`)).body.collection!.status, 'charging');
    await disputeCharge(charge!.id);
    return invoice;
  });
  const paid = await until(async () => {
    const { body } = await api.get(`/v1/invoices/${id}`);
    return body.status === 'paid' && body.collection!.status === 'ended' && body;
  });
  t.is(paid.outstanding_minor, 0);
  const payment = await until(async () => {
    const [found] = (await api.get(`/v1/payments?invoice_id=${id}`)).body.data;
    return found?.status === 'disputed' && found;
  });
  t.like(payment, { amount_minor: 10_000, disputed_minor: 10_000 });
  t.is((await successfulCharges(workspace)).length, 1);
  await sweep(t, workspace);
});

test('the evidence of a dispute is what the processor reports', async (t) => {
  const workspace = await newWorkspace();
  const { dispute, move, payment } = await disputablePayment(workspace);
  const opened = await dispute({ reason: 'product_not_received' });
  const evidence = (expected: string) =>
    until(async () => (await payment()).disputes.find(({ id }) => id === opened.id)?.evidence === expected);
  await evidence('none');
  t.is((await payment()).disputes[0]!.reason, 'product_not_received');
  for (const step of ['staged', 'submitted', 'late']) {
    await move(opened.id, { evidence: step });
    await evidence(step);
  }
  await sweep(t, workspace);
});

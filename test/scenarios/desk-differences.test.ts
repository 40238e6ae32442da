import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { newMember } from '../support/people.js';
import { pay, pendingBooking, checkoutSessionId } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { mailTo, processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { listChangeEvents, countClaims, pendingChange } from '../support/pending-change-calls.js';
import { message } from '../support/message.js';

/** A booking for which the desk has taken £30.00, and one more hour that awaits its payment. */
async function extendedAtDesk(t: ExecutionContext, existing?: TestWorkspace) {
  const { workspace, booking: held } = await pendingBooking(1_800, existing);
  const path = `/v1/bookings/${held.id}` as const;
  const cash = { method: 'cash', amount_minor: 3_000 };
  t.is((await workspace.api.post(`${path}/payments`, cash)).status, 201);
  const booked = { booking: held, email: held.booked_by.guest.email };
  const { pending, end_at } = await pendingChange(t, workspace, booked);
  return { workspace, path, pending, end_at, ...booked, body: { ...cash, pending_change_id: pending.id } };
}

const openPage = async (workspace: TestWorkspace, pending: { checkout_url: string }) =>
  (await processorLedger(workspace)).sessions.find(({ id }) => id === checkoutSessionId(pending))?.status;

test('the desk takes the difference of a change: the page is closed, the booking longer, and it can be refunded', async (t) => {
  const { workspace, path, pending, end_at, booking, email, body } = await extendedAtDesk(t);
  const { api } = await newMember(workspace, { role: 'front_desk' });
  const taken = await api.post(`${path}/payments`, { ...body, reference: 'Till 2' });
  t.is(taken.status, 201, JSON.stringify(taken.body));
  t.like(taken.body, { status: 'confirmed', settle: 'desk', end_at, price: { amount_minor: 6_000 } });
  t.like(taken.body.payment, {
    kind: 'top_up',
    method: 'cash',
    amount_minor: 3_000,
    reference: 'Till 2',
    processor_payment_intent_id: null,
    source: null,
  });
  t.is(await openPage(workspace, pending), 'expired');
  t.is(await countClaims(booking.id), 1);
  t.is((await api.get(`${path}/pending-change`)).status, 404);
  t.deepEqual(
    (await listChangeEvents(booking.id)).map((event: { type: string }) => event.type),
    ['booking.change_pending'],
  );
  const { body: invoice } = await workspace.api.get(`/v1/invoices/${booking.invoice_id!}`);
  t.like(invoice, { status: 'paid', paid_minor: 6_000, total_minor: 6_000 });
  const documents = await until(async () => {
    const rows: { kind: string; total_minor: number }[] = await db.query(
      `SELECT kind, total_minor FROM invoice_documents WHERE invoice_id = $1 ORDER BY kind`,
      [invoice.id],
    );
    return rows.length > 1 && rows;
  });
  t.deepEqual(documents, [
    { kind: 'invoice', total_minor: 3_000 },
    { kind: 'supplement', total_minor: 3_000 },
  ]);
  const { data } = (await workspace.api.get('/v1/audit-log?action=booking.payment_taken')).body;
  t.is(data.length, 2);
  t.deepEqual(data.find(({ details }) => details.pending_change_id)!.details, {
    payment_id: taken.body.payment.id,
    amount_minor: 3_000,
    method: 'cash',
    reference: 'Till 2',
    pending_change_id: pending.id,
  });
  const said = message('mail.price_paid', { price: '£60.00', amount: '£30.00', paid: '£60.00' });
  const mail = await until(async () => (await mailTo(email)).find(({ text }) => text.includes(said)));
  t.notRegex(mail.text, /card/);

  const twice = await api.post(`${path}/payments`, body);
  t.like(twice, { status: 409, body: { error: { code: 'already_paid' } } });
  const cancelled = await workspace.api.post(`${path}/cancel`, { refund_policy: 'full' });
  t.like(cancelled.body.refund, { amount_minor: 6_000, status: 'succeeded' });
  await sweep(t, workspace);
});

test('the desk can also take the difference of a booking paid by card, once for many requests with one key', async (t) => {
  const workspace = await newWorkspace();
  const { path, pending, end_at } = await pendingChange(t, workspace);
  const body = { method: 'terminal', amount_minor: 3_000, pending_change_id: pending.id };
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => workspace.api.post(`${path}/payments`, body, headers);
  const responses = [...(await Promise.all([send(), send(), send()])), await send()];
  for (const { status, body: answer } of responses) t.true(status < 300, JSON.stringify(answer));
  t.is(new Set(responses.map(({ body: { payment } }) => payment.id)).size, 1);
  t.like(responses[0]!.body, { end_at, settle: 'checkout', payment: { method: 'card_terminal' } });
  const without = await Promise.all([1, 2].map(() => workspace.api.post(`${path}/payments`, body)));
  t.deepEqual(
    without.map(({ body: { error } }) => error?.code),
    ['already_paid', 'already_paid'],
  );
  await sweep(t, workspace);
});

test('other amounts, other changes and other roles are refused, and nothing is recorded', async (t) => {
  const { workspace, path, pending, body, booking } = await extendedAtDesk(t);
  const { api } = workspace;
  const postError = async (sent: object, by = api) => {
    const { status, body: answer } = await by.post(`${path}/payments`, sent);
    return `${status} ${answer.error?.code} ${answer.error?.param ?? answer.error?.details?.reason}`;
  };
  t.is(await postError({ ...body, amount_minor: 6_000 }), '422 validation_failed amount_minor');
  t.is(await postError({ ...body, pending_change_id: undefined }), '409 already_paid paid');
  t.is(await postError({ ...body, pending_change_id: 'chg_1' }), '404 not_found no_such_change');
  const other = await extendedAtDesk(t, workspace);
  t.is(await postError(other.body), '404 not_found no_such_change');
  const outsider = await extendedAtDesk(t);
  t.is(await postError(outsider.body), '404 not_found no_such_change');
  for (const role of ['member', 'billing_contact'] as const)
    t.regex(await postError(body, (await newMember(workspace, { role })).api), /^(403|404) /, role);
  t.is((await api.delete(`${path}/pending-change`)).status, 204);
  t.is(await postError(body), '409 booking_not_payable not_pending');
  t.is(await countClaims(booking.id), 1);
  t.is((await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data.length, 1);
  await until(async () => (await openPage(workspace, pending)) === 'expired');
  await sweep(t, workspace);
  await sweep(t, outsider.workspace);
});

test('when the page of a change and the desk take payment at the same time, one of them wins, many times', async (t) => {
  const workspace = await newWorkspace();
  const won = { page: 0, desk: 0 };
  const race = async (delay: number): Promise<'page' | 'desk'> => {
    const { path, pending, end_at, body } = await extendedAtDesk(t, workspace);
    const atPage = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      return pay(pending).then(
        () => true,
        () => false,
      );
    };
    const [paid, desk] = await Promise.all([atPage(), workspace.api.post(`${path}/payments`, body)]);
    await until(async () => (await workspace.api.get(path)).body.end_at === end_at);
    const wasDesk = desk.status === 201;
    if (!wasDesk) t.is(desk.body.error?.code, 'already_paid', JSON.stringify(desk.body));
    t.not(paid, wasDesk, 'the page or the desk');
    const winner = wasDesk ? 'desk' : 'page';
    won[winner]++;
    return winner;
  };
  // The winner starts later the next time, so that they meet however busy the machine is.
  const races = async (first: number): Promise<void> => {
    for (let n = 0, delay = first, step = 100; n < 5 || (n < 24 && !(won.page && won.desk)); n++)
      delay = Math.max(0, delay + ((await race(delay)) === 'page' ? (step *= 1.5) : -(step /= 2)));
  };
  await Promise.all([0, 60, 120].map(races));
  t.true(won.page > 0 && won.desk > 0, JSON.stringify(won));
  await sweep(t, workspace);
});

test('money in transit when the desk took the difference is refunded in full', async (t) => {
  const { workspace, path, pending, end_at, booking, body } = await extendedAtDesk(t);
  const { api } = workspace;
  await pay(pending, { async: true });
  const taken = await api.post(`${path}/payments`, body);
  t.is(taken.status, 201, JSON.stringify(taken.body));
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(pending)}/settle`, {});
  const late = await until(async () => {
    const { data } = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body;
    const charge = data.find(({ kind }) => kind === 'charge');
    return charge?.status === 'refunded' && charge;
  });
  t.is(late.refunded_minor, 3_000);
  t.like((await api.get(path)).body, { end_at, price: { amount_minor: 6_000 } });
  await sweep(t, workspace);
});

test('if the page of a change cannot be closed, nothing is recorded, and the next try works', async (t) => {
  const { workspace, path, pending, end_at, body } = await extendedAtDesk(t);
  const { api } = workspace;
  const session = `/v1/checkout/sessions/${checkoutSessionId(pending)}*` as const;
  const fail = ['GET', 'POST'].map((method) => ({ method, path: session, status: 503, times: 1_000 }));
  await withFaults(workspace, { fail }, async () => {
    const refused = await api.post(`${path}/payments`, body);
    t.is(refused.status, 502, JSON.stringify(refused.body));
    t.is(refused.body.error!.details!.reason, 'page_not_closed');
  });
  t.deepEqual((await api.get(`${path}/pending-change`)).body, pending);
  const taken = await api.post(`${path}/payments`, { ...body, method: 'transfer' });
  t.is(taken.status, 201, JSON.stringify(taken.body));
  t.like(taken.body, { end_at, payment: { method: 'bank_transfer' } });
  await sweep(t, workspace);
});

test('a booking that is cancelled while the desk takes the difference keeps neither payment or returns both', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  for (const first of ['desk', 'cancel', 'desk']) {
    const { path, body } = await extendedAtDesk(t, workspace);
    const take = () => api.post(`${path}/payments`, body);
    const cancel = () => api.post(`${path}/cancel`, { refund_policy: 'full' });
    const began = first === 'desk' ? take() : cancel();
    const then = first === 'desk' ? cancel() : take();
    const [taken, cancelled] = await Promise.all(first === 'desk' ? [began, then] : [then, began]);
    const kept = taken.status === 201 ? 6_000 : 3_000;
    t.like(cancelled.body, { refund: { amount_minor: kept } });
  }
  await sweep(t, workspace);
});

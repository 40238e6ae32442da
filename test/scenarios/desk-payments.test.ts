import { randomUUID } from 'node:crypto';
import test from 'ava';
import { listTimeline } from '../../db/queries/bookings/timeline.js';
import { bookingBody, pay, pendingBooking, checkoutSessionId, untilStatus } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { mailTo, processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import type { Booking } from '../support/api-bodies.js';
import { newRoom, type TestWorkspace } from '../support/workspaces.js';

const cash = { method: 'cash', amount_minor: 3_000, reference: 'Till 2' };
const paymentsPath = ({ id }: { id: string }) => `/v1/bookings/${id}/payments` as const;

/** The state of a booking's hosted page at the processor. */
const pageState = async (workspace: TestWorkspace, booking: Booking): Promise<string | null | undefined> =>
  (await processorLedger(workspace)).sessions.find(({ id }) => id === checkoutSessionId(booking))?.status;

test('when the desk takes a payment, the page is closed, the booking confirmed, and its documents say how it was paid', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  const taken = await api.post(paymentsPath(booking), cash);
  t.is(taken.status, 201, JSON.stringify(taken.body));
  t.like(taken.body, {
    status: 'confirmed',
    settle: 'desk',
    confirmation_source: null,
    processor_payment_intent_id: null,
    payment: {
      kind: 'manual',
      method: 'cash',
      amount_minor: 3_000,
      reference: 'Till 2',
      booking_id: booking.id,
    },
  });
  t.is(await pageState(workspace, booking), 'expired');
  const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id!}`);
  t.like(invoice, { status: 'paid', paid_minor: 3_000 });
  const [document] = await db.query(`SELECT terms FROM invoice_documents WHERE invoice_id = $1`, [
    invoice.id,
  ]);
  t.like(document.terms.paid[0], { method: 'cash', amount_minor: 3_000 });
  const mails = await until(async () => {
    const found = await mailTo(booking.booked_by.guest.email);
    return found.some(({ subject }) => /confirmed/.test(subject)) && found;
  });
  t.is(mails.filter(({ subject }) => /confirmed/.test(subject)).length, 1);
  const { data } = (await api.get('/v1/audit-log?action=booking.payment_taken')).body;
  t.is(data.length, 1);
  t.deepEqual(data[0]!.details, {
    payment_id: taken.body.payment.id,
    amount_minor: 3_000,
    method: 'cash',
    reference: 'Till 2',
  });
  const recorded = (await listTimeline(db.manager, workspace.id, booking.id)).flatMap((entry) =>
    entry.kind === 'payment' ? [entry.facts.recorded] : [],
  );
  t.like(recorded, [{ with_key: true, by_link: false }]);
  t.truthy(recorded[0]!.by, 'the timeline names who took it');

  const twice = await api.post(paymentsPath(booking), cash);
  t.is(twice.status, 409);
  t.is(twice.body.error!.code, 'already_paid');
  const cancelled = await api.post(`/v1/bookings/${booking.id}/cancel`, {});
  t.like(cancelled.body.refund, { amount_minor: 3_000, status: 'succeeded' });
  await sweep(t, workspace);
});

test('other amounts, other states and future dates are refused, and nothing is recorded', async (t) => {
  const { workspace, room, booking } = await pendingBooking();
  const { api } = workspace;
  const postError = async (of: { id: string }, body: object) => {
    const { status, body: answer } = await api.post(paymentsPath(of), body);
    return `${status} ${answer.error?.code} ${answer.error?.param ?? answer.error?.details?.reason}`;
  };
  t.is(await postError(booking, { ...cash, amount_minor: 2_999 }), '422 validation_failed amount_minor');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  t.is(await postError(booking, { ...cash, paid_at: tomorrow }), '422 validation_failed paid_at');
  for (const method of ['card', 'beads'])
    t.is(await postError(booking, { ...cash, method }), '422 validation_failed method');
  await api.post(`/v1/bookings/${booking.id}/cancel`, {});
  t.is(await postError(booking, cash), '409 booking_not_payable status');
  const { body: paid } = await api.post('/v1/bookings', bookingBody(room.id));
  await pay(paid);
  await untilStatus(api, paid.id, 'confirmed');
  t.is(await postError(paid, cash), '409 already_paid paid');
  t.is((await api.get(`/v1/payments?booking_id=${booking.id}`)).body.data.length, 0);
  await sweep(t, workspace);
});

test('one key records one payment, however often it is sent, also concurrently', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const headers = { 'idempotency-key': randomUUID() };
  const send = () => workspace.api.post(paymentsPath(booking), cash, headers);
  const responses = [...(await Promise.all([send(), send(), send(), send()])), await send()];
  for (const { status, body } of responses) t.true(status < 300, JSON.stringify(body));
  t.is(new Set(responses.map(({ body }) => body.payment.id)).size, 1);
  t.is((await workspace.api.post(paymentsPath(booking), { ...cash, method: 'other' }, headers)).status, 409);
  await sweep(t, workspace);
});

test('when page and desk take payment at the same time, one of them wins, many times', async (t) => {
  const { workspace } = await pendingBooking();
  const { api } = workspace;
  const room = await newRoom(api);
  const won = { page: 0, desk: 0 };
  const race = async (delay: number): Promise<'page' | 'desk'> => {
    const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id));
    const atPage = async (): Promise<boolean> => {
      await new Promise((resolve) => setTimeout(resolve, delay));
      return pay(booking).then(
        () => true,
        () => false,
      );
    };
    const [paid, desk] = await Promise.all([atPage(), api.post(paymentsPath(booking), cash)]);
    const confirmed = await untilStatus(api, booking.id, 'confirmed');
    const wasDesk = desk.status === 201;
    if (!wasDesk) t.is(desk.body.error?.code, 'already_paid', JSON.stringify(desk.body));
    t.not(paid, wasDesk, 'the page or the desk');
    t.is(confirmed.settle, wasDesk ? 'desk' : 'checkout');
    const winner = wasDesk ? 'desk' : 'page';
    won[winner]++;
    return winner;
  };
  // The winner starts later the next time, so that they meet however busy the machine is.
  const races = async (first: number): Promise<void> => {
    for (let n = 0, delay = first, step = 100; n < 6 || (n < 24 && !(won.page && won.desk)); n++)
      delay = Math.max(0, delay + ((await race(delay)) === 'page' ? (step *= 1.5) : -(step /= 2)));
  };
  await Promise.all([0, 50, 100, 150].map(races));
  t.true(won.page > 0 && won.desk > 0, JSON.stringify(won));
  await sweep(t, workspace);
});

test('money in transit when the desk took the payment is refunded in full', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  await pay(booking, { async: true });
  const taken = await api.post(paymentsPath(booking), cash);
  t.is(taken.status, 201, JSON.stringify(taken.body));
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`, {});
  const late = await until(async () => {
    const { data } = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body;
    const charge = data.find(({ kind }) => kind === 'charge');
    return charge?.status === 'refunded' && charge;
  });
  t.is(late.refunded_minor, 3_000);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
  await sweep(t, workspace);
});

test('if the page cannot be closed, nothing is recorded, the booking stays held, and the next try works', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  const path = `/v1/checkout/sessions/${checkoutSessionId(booking)}*` as const;
  const fail = ['GET', 'POST'].map((method) => ({ method, path, status: 503, times: 1_000 }));
  await withFaults(workspace, { fail }, async () => {
    const refused = await api.post(paymentsPath(booking), cash);
    t.is(refused.status, 502, JSON.stringify(refused.body));
    t.is(refused.body.error!.details!.reason, 'page_not_closed');
  });
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');
  t.is((await api.post(paymentsPath(booking), cash)).status, 201);
  await sweep(t, workspace);
});

test('if the page is closed too late for the desk, the hold continues, and the desk can try again', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  // The processor takes longer than the desk waits.
  await withFaults(workspace, { latency_ms: 4_000 }, async () => {
    t.is((await api.post(paymentsPath(booking), cash)).status, 502);
    await until(async () => (await pageState(workspace, booking)) === 'expired');
  });
  // The processor has reported that the session has expired.
  await until(async () => {
    const outcome = await db.query(
      `SELECT FROM processor_events WHERE type = 'checkout.session.expired' AND account_id = $1
        AND handled_at IS NOT NULL`,
      [workspace.accountId],
    );
    return outcome.length > 0;
  });
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');
  const taken = await api.post(paymentsPath(booking), { ...cash, method: 'terminal' });
  t.is(taken.status, 201, JSON.stringify(taken.body));
  t.is(taken.body.payment.method, 'card_terminal');
  t.is(taken.body.payment.processor_method, null);
  await sweep(t, workspace);
});

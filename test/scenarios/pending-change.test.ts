import test from 'ava';
import { readOutcome } from '../../api/resources/bookings/run-update.js';
import { createMember } from '../support/member-calls.js';
import { internal } from '../support/api-client.js';
import { bookingBody, confirmedBooking, listEvents, hoursLater, pay } from '../support/bookings.js';
import { processorLedger, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { temporal } from '../support/temporal.js';
import {
  AUTHENTICATION_CARD,
  LINK,
  book,
  listChangeEvents,
  countClaims,
  pendingChange,
} from '../support/pending-change-calls.js';
import { message } from '../support/message.js';

const SILENT = { drop_webhooks: ['all'] };

const untilChanged = ({ api }: TestWorkspace, path: `/v1/bookings/${string}`, end_at: string) =>
  until(async () => {
    const { body } = await api.get(path);
    return body.end_at === end_at && body;
  });

test('a change that needs the bank’s authentication is paid by link: connect webhook, event, one payment, one intent', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, path, end_at, pending } = await pendingChange(t, workspace);
  t.is(pending.amount_minor, 3_000);
  const minutes = (Date.parse(pending.expires_at) - Date.now()) / 60_000;
  t.true(minutes > 29 && minutes <= 30, `${minutes}`);
  t.deepEqual((await api.get(`${path}/pending-change`)).body, pending);
  // The response to a request whose page was opened too late: no card is being charged.
  await t.throwsAsync(readOutcome({ db }, pending.id), { message: /has not yet opened the page/ });

  const { payment_intents } = await processorLedger(workspace);
  const asked = payment_intents.find(({ metadata }) => metadata.change_id === pending.id)!;
  t.is(asked.status, 'canceled', 'what the bank refused can never be paid beside the link');
  const second = await api.patch(path, { notes: 'Window' });
  t.like(second, { status: 409, body: { error: { code: 'change_pending' } } });
  t.is(second.body.error.details!.change_id, pending.id);
  const taken = bookingBody(booking.room_id, { start_at: booking.end_at, end_at });
  t.is((await api.post('/v1/bookings', taken)).status, 409);
  const { currentDetails } = await temporal.workflow
    .getHandle(booking.id)
    .query<{ currentDetails: string }>('__temporal_workflow_metadata');
  t.true(currentDetails.includes(`lapses at ${pending.expires_at}`), currentDetails);

  const changed = await withFaults(workspace, { drop_webhooks: ['checkout.session.completed'] }, async () => {
    await pay(pending);
    return untilChanged(workspace, path, end_at);
  });
  t.like(changed, { status: 'confirmed', sequence: 1, price: { amount_minor: 6_000 } });
  t.is(await countClaims(booking.id), 1);
  const [topUp] = await db.query(
    `SELECT amount_minor, source FROM payments WHERE booking_id = $1 AND kind = 'top_up'`,
    [booking.id],
  );
  t.is(topUp.amount_minor, 3_000);
  t.is(topUp.source, 'connect_webhook');
  t.deepEqual(
    (await listEvents(booking.id)).map(({ type }) => type),
    ['booking.created', 'booking.confirmed', 'booking.change_pending', 'booking.updated'],
  );
  const [event] = await listChangeEvents(booking.id);
  t.deepEqual(event.change, { ...pending, ended: null });
  t.is((await api.get(`${path}/pending-change`)).status, 404);
  t.is((await api.delete(`${path}/pending-change`)).status, 404);
  t.is((await api.patch(path, { notes: 'Window' })).status, 200);
  await sweep(t, workspace);
});

test('without the field, and for a declined card, a change fails with 402 and says whether a link would help', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { card: AUTHENTICATION_CARD });
  const path = `/v1/bookings/${booking.id}` as const;
  const end_at = hoursLater(booking.end_at, 1);
  const refused = await api.patch(path, { end_at });
  t.like(refused, { status: 402, body: { error: { code: 'payment_failed' } } });
  t.deepEqual(refused.body.error.details, {
    reason: 'authentication_required',
    authentication_required: true,
  });
  t.is(await countClaims(booking.id), 1);
  t.is((await api.patch(path, LINK)).status, 422, 'nothing to change');
  t.is((await api.patch(path, { end_at, on_authentication: 'ask' })).status, 422);

  const { booking: declined } = await confirmedBooking(api, { card: '4000000000000341' });
  const later = hoursLater(declined.end_at, 1);
  const failed = await api.patch(`/v1/bookings/${declined.id}`, { end_at: later, ...LINK });
  t.is(failed.status, 402);
  t.false(failed.body.error.details!.authentication_required);
  t.is(await countClaims(declined.id), 1);
  await sweep(t, workspace);
});

test('without a card, a change is paid by link and found by the success page alone', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { id: member_id } = await createMember(api);
  const { booking } = await confirmedBooking(api, {
    room: { price_per_hour: { currency: 'GBP', amount_minor: 0 } },
    body: { booked_by: { member_id } },
  });
  const dear = await newRoom(api);
  const path = `/v1/bookings/${booking.id}` as const;
  const refused = await api.patch(path, { room_id: dear.id });
  t.is(refused.status, 402);
  t.is(refused.body.error.details!.reason, 'no_card_on_file');
  const { status, body } = await api.patch(path, { room_id: dear.id, ...LINK });
  t.is(status, 202);
  t.is(body.pending_change.amount_minor, 3_000);
  const left = await fetch(
    `${dev.baseUrl}/checkout/left?checkout_id=${await findCheckoutId(body.pending_change.id)}`,
  );
  t.regex(await left.text(), /held for you until .*Pay £30\.00/s);
  // Neither ends the change: both slots are held, and its price is fixed.
  t.is((await api.post(`/v1/members/${member_id}/archive`, {})).status, 200);
  t.is((await api.patch(`/v1/rooms/${dear.id}`, { archived: true })).status, 200);
  await withFaults(workspace, SILENT, async () => {
    const { redirect_url } = await pay(body.pending_change);
    const page = await (await fetch(redirect_url)).text();
    t.true(page.includes(message('payer.changed')));
  });
  t.like((await api.get(path)).body, { room_id: dear.id, price: { amount_minor: 3_000 } });
  const [topUp] = await db.query(`SELECT source FROM payments WHERE booking_id = $1`, [booking.id]);
  t.is(topUp.source, 'success_page');
  await sweep(t, workspace);
});

const findCheckoutId = async (changeId: string): Promise<string> =>
  (await db.query(`SELECT id FROM checkouts WHERE change_id = $1`, [changeId]))[0].id;

test("an unreported payment is found by self-heal, and another by the run's own final check", async (t) => {
  const workspace = await newWorkspace();
  const { pending: healed, path, end_at } = await pendingChange(t, workspace);
  const booked = await book(workspace);
  await workspace.api.patch('/v1/workspace', { checkout_hold_seconds: 12 });
  const own = await pendingChange(t, workspace, booked);
  await withFaults(workspace, SILENT, async () => {
    await Promise.all([pay(healed), pay(own.pending)]);
    await until(async () => {
      await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
      const { body } = await workspace.api.get(path);
      return body.end_at === end_at;
    });
    await untilChanged(workspace, own.path, own.end_at);
  });
  const sources = await db.query(`SELECT source FROM payments WHERE workspace_id = $1 AND kind = 'top_up'`, [
    workspace.id,
  ]);
  t.deepEqual(
    sources.map(({ source }: { source: string }) => source),
    ['scheduler_self_heal', 'scheduler_self_heal'],
  );
  await sweep(t, workspace);
});

test('a checkout that the processor does not open leaves the booking unchanged', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api, { card: AUTHENTICATION_CARD });
  const path = `/v1/bookings/${booking.id}` as const;
  const end_at = hoursLater(booking.end_at, 1);
  const down = { fail: [{ method: 'POST', path: '/v1/checkout/sessions', status: 400, times: 100 }] };
  const refused = await withFaults(workspace, down, () => api.patch(path, { end_at, ...LINK }));
  t.like(refused, { status: 502, body: { error: { code: 'processor_error' } } });
  t.is(await countClaims(booking.id), 1);
  t.deepEqual(await listChangeEvents(booking.id), []);

  // A lost response of the processor gets the same page, as nobody could pay on another one.
  const lost = {
    fail: [{ method: 'POST', path: '/v1/checkout/sessions', status: 500, times: 1, after_effect: true }],
  };
  const opened = await withFaults(workspace, lost, () => api.patch(path, { end_at, ...LINK }));
  t.is(opened.status, 202, JSON.stringify(opened.body));
  const { sessions } = await processorLedger(workspace);
  t.is(sessions.filter(({ metadata }) => metadata!.change_id === opened.body.pending_change.id).length, 1);
  // A lost run starts again from the rows, and the change is made.
  await temporal.workflow.getHandle(booking.id).terminate('lost');
  await withFaults(workspace, { drop_webhooks: ['charge.succeeded'] }, async () => {
    await pay(opened.body.pending_change);
    await untilChanged(workspace, path, end_at);
  });
  const [topUp] = await db.query(`SELECT source FROM payments WHERE booking_id = $1 AND kind = 'top_up'`, [
    booking.id,
  ]);
  t.is(topUp.source, 'platform_webhook');
  await sweep(t, workspace);
});

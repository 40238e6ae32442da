import test, { type ExecutionContext } from 'ava';
import { loadConfig } from '../../config/config.js';
import { findCheckoutsToCheck } from '../../db/queries/bookings/self-heal.js';
import { sweep } from '../support/invariants.js';
import { internal } from '../support/api-client.js';
import { bookingBody, pay, pendingBooking, untilStatus } from '../support/bookings.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { mailTo, processorLedger, requestsAbout, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import type { Booking } from '../support/api-bodies.js';
import { message } from '../support/message.js';

interface Scene {
  workspace: TestWorkspace;
  booking: Booking;
  email: string;
}

async function bookedRoom(): Promise<Scene> {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const body = bookingBody(room.id);
  const { body: booking } = await workspace.api.post('/v1/bookings', body);
  return { workspace, booking, email: body.booked_by.guest.email };
}

/** Asserts a single confirmation: one payment row, one mail, and the given source. */
async function confirmedOnce(
  t: ExecutionContext,
  { workspace, booking, email }: Scene,
  source?: Booking['confirmation_source'],
): Promise<void> {
  const confirmed = await untilStatus(workspace.api, booking.id, 'confirmed');
  if (source) t.is(confirmed.confirmation_source, source);
  t.truthy(confirmed.processor_payment_intent_id);
  const payments = await db.query(`SELECT kind, status FROM payments WHERE booking_id = $1`, [booking.id]);
  t.deepEqual(payments, [{ kind: 'charge', status: 'succeeded' }]);
  const mails = await until(async () => {
    const found = await mailTo(email);
    return found.length > 0 && found;
  });
  t.deepEqual(
    mails.map((mail) => mail.subject),
    [message('mail.confirmed_subject', { room: 'Blue room' })],
  );
  t.true(mails[0]!.attachments.some((file) => file.filename === 'booking.ics'));
  await sweep(t, workspace);
}

// Each layer alone, while the others are broken: the endpoints at the processor, a payer who does not return,
// and no self-heal run before the layer's turn.

test('the success page alone confirms, with both endpoints broken', async (t) => {
  const scene = await bookedRoom();
  await withFaults(scene.workspace, { break_endpoints: ['platform', 'connect'] }, async () => {
    const { redirect_url } = await pay(scene.booking);
    const page = await (await fetch(redirect_url)).text();
    t.true(page.includes(message('payer.confirmed')));
  });
  await confirmedOnce(t, scene, 'success_page');
});

for (const [alone, broken, sent] of [
  ['platform', 'connect', 'checkout.session.completed'],
  ['connect', 'platform', 'charge.succeeded'],
] as const) {
  test(`the ${alone} webhook alone confirms, with the ${broken} endpoint broken`, async (t) => {
    const scene = await bookedRoom();
    await withFaults(scene.workspace, { break_endpoints: [broken] }, async () => {
      await pay(scene.booking);
      await confirmedOnce(t, scene, `${alone}_webhook`);
    });
    // One that got no response in time, on a busy machine, was sent again.
    const delivered = await until(async () => {
      const { webhooks_sent } = await processorLedger(scene.workspace);
      const taken = webhooks_sent.filter(({ status }) => status !== 0);
      return taken.length > 0 && taken;
    });
    t.deepEqual(
      delivered.map(({ type, via }) => [type, via]),
      [[sent, alone]],
    );
    const [event] = await db.query(`SELECT type, via, account_id FROM processor_events WHERE id = $1`, [
      delivered[0]!.event_id,
    ]);
    t.deepEqual(event, { type: sent, via: alone, account_id: scene.workspace.accountId });
  });
}

test('self-heal alone confirms, with both endpoints broken', async (t) => {
  const scene = await bookedRoom();
  await withFaults(scene.workspace, { break_endpoints: ['platform', 'connect'] }, async () => {
    await pay(scene.booking);
    const healed = await until(async () => {
      const { body } = await internal('run_job', { job: 'self_heal', workspace_id: scene.workspace.id });
      return body.examined! > 0 && body;
    });
    t.like(healed, { confirmed: 1, failed: 0 });
    await confirmedOnce(t, scene, 'scheduler_self_heal');
  });
  t.is((await processorLedger(scene.workspace)).webhooks_sent.length, 0);
});

test('self-heal looks up open pages by account, and restarts lost runs', async (t) => {
  const { workspace } = await bookedRoom();
  const { api } = workspace;
  const room = await newRoom(api);
  const bookings: Booking[] = [];
  for (let n = 0; n < 4; n++) bookings.push((await api.post('/v1/bookings', bookingBody(room.id))).body);
  const [paid, lost] = [bookings[0]!, bookings[1]!];
  await withFaults(workspace, { break_endpoints: ['platform', 'connect'] }, async () => {
    await pay(paid);
    const heal = async () =>
      (await internal('run_job', { job: 'self_heal', workspace_id: workspace.id })).body;
    await until(async () => {
      const { count } = await temporal.workflow.count(
        `Workspace = '${workspace.id}' AND WorkflowType = 'booking' AND ExecutionStatus = 'Running'`,
      );
      return count === 5;
    });
    // Self-heal leaves checkouts of the last second to their runs.
    await until(async () => {
      const young = `SELECT 1 FROM checkouts
        WHERE workspace_id = $1 AND created_at > now() - interval '2 seconds'`;
      return (await db.query(young, [workspace.id])).length === 0;
    });
    const before = (await requestsAbout(workspace)).length;
    const healed = await until(async () => {
      const summary = await heal();
      return summary.confirmed! > 0 && summary;
    });
    t.like(healed, { examined: 5, confirmed: 1, revived: 0, failed: 0 });
    const asked = (await requestsAbout(workspace)).slice(before);
    t.is(asked.filter((call) => /^GET .*checkout.sessions\/cs_/.test(call)).length, 1, asked.join('\n'));
    await untilStatus(api, paid.id, 'confirmed');

    await temporal.workflow.getHandle(lost.id).terminate('lost by the test');
    const revived = await until(async () => {
      const summary = await heal();
      return summary.revived! > 0 && summary;
    });
    t.like(revived, { examined: 4, revived: 1, failed: 0 });
  });
  await sweep(t, workspace);
});

test('by default self-heal looks up checkouts that are 30 minutes old or more', async (t) => {
  const { selfHealAfterSeconds: olderThanSeconds } = loadConfig(REQUIRED_SETTINGS);
  const { workspace, booking: younger } = await pendingBooking();
  const { booking: older } = await pendingBooking(undefined, workspace);
  const age = (id: string, minutes: number) =>
    db.query(`UPDATE checkouts SET created_at = now() - make_interval(mins => $2) WHERE owner_id = $1`, [
      id,
      minutes,
    ]);
  await Promise.all([age(younger.id, 29), age(older.id, 30)]);
  const query = { workspaceId: workspace.id, after: '', olderThanSeconds, limit: 10 };
  const found = await findCheckoutsToCheck(db.manager, query);
  t.deepEqual(
    found.map(({ ownerId }) => ownerId),
    [older.id],
  );
});

test("with Stripe's own routing, checkout events through connect confirm", async (t) => {
  const scene = await bookedRoom();
  const faults = { webhook_routing: 'stripe', drop_webhooks: ['charge.succeeded'] };
  await withFaults(scene.workspace, faults, async () => {
    await pay(scene.booking);
    await confirmedOnce(t, scene, 'connect_webhook');
  });
});

test('webhooks in any order, three times each, concurrent with the success page, confirm once', async (t) => {
  const scene = await bookedRoom();
  await withFaults(scene.workspace, { duplicate_webhooks: 2, shuffle_webhooks: true }, async () => {
    const { redirect_url } = await pay(scene.booking);
    await Promise.all([fetch(redirect_url), fetch(redirect_url)]);
    await untilStatus(scene.workspace.api, scene.booking.id, 'confirmed');
    await until(async () => (await processorLedger(scene.workspace)).webhooks_pending === 0);
  });
  await confirmedOnce(t, scene);
});

test('verify_payment returns the same every time, with the source that confirmed', async (t) => {
  const scene = await bookedRoom();
  const { payment_intent } = await withFaults(scene.workspace, { drop_webhooks: ['all'] }, () =>
    pay(scene.booking),
  );
  const verify = () =>
    internal('verify_payment', { payment_intent_id: payment_intent, source: 'connect_webhook' });
  const [first, ...rest] = await Promise.all([verify(), verify(), verify()]);
  const later = await verify();
  for (const answer of [first, ...rest, later]) {
    t.is(answer!.status, 200, JSON.stringify(answer!.body));
    t.like(answer!.body, { source: 'connect_webhook', payment_id: later.body.payment_id });
    t.is(answer!.body.booking.status, 'confirmed');
  }
  t.true(later.body.already_confirmed);
  await confirmedOnce(t, scene, 'connect_webhook');
});

test('an unknown payment returns 404, an unpaid one 409', async (t) => {
  const unknown = await internal('verify_payment', { payment_intent_id: 'pi_nobody_knows' });
  t.is(unknown.status, 404);
  t.is(unknown.body.error.code, 'payment_not_found');
  const { booking } = await bookedRoom();
  const { payment_intent } = await pay(booking, { async: true });
  const unpaid = await internal('verify_payment', { payment_intent_id: payment_intent });
  t.is(unpaid.status, 409);
  t.is(unpaid.body.error.code, 'payment_not_confirmed');
});

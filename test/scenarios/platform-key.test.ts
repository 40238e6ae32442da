import test from 'ava';
import {
  bookingBody,
  confirmedBooking,
  hoursLater,
  pay,
  pendingBooking,
  untilStatus,
} from '../support/bookings.js';
import { processorLedger } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { listIntercepted, RESTRICTED_KEY, ROLLED_KEY, withProxyFaults } from '../support/proxy-faults.js';
import { temporal } from '../support/temporal.js';
import { searchAttributes } from '../../contract/search-attributes.js';

const isFlagged = async (workflowId: string): Promise<boolean | undefined> =>
  (await temporal.workflow.getHandle(workflowId).describe()).typedSearchAttributes.get(
    searchAttributes.attentionNeeded,
  );

/** What the Web UI shows under "Current Details". */
const currentDetails = async (workflowId: string): Promise<string> =>
  (
    await temporal.workflow
      .getHandle(workflowId)
      .query<{ currentDetails: string }, []>('__temporal_workflow_metadata')
  ).currentDetails;

const readStatus = async ({ api }: TestWorkspace, id: string): Promise<string> =>
  (await api.get(`/v1/bookings/${id}`)).body.status;

for (const [name, fault] of Object.entries({ rolled: ROLLED_KEY, restricted: RESTRICTED_KEY })) {
  test(`a platform key that is ${name} during a hold: a payment is neither dropped nor expired`, async (t) => {
    const { workspace, booking } = await pendingBooking(10);
    await withProxyFaults(workspace, [fault], async () => {
      await pay(booking);
      await until(() => isFlagged(booking.id));
      t.regex(await currentDetails(booking.id), /ProcessorKeyRefused: .*Check STRIPE_SECRET_KEY/);
      await until(async () => Date.now() > Date.parse(booking.expires_at!) + 3_000);
      t.is(await readStatus(workspace, booking.id), 'pending_payment');
    });
    await untilStatus(workspace.api, booking.id, 'confirmed');
    await until(async () => (await isFlagged(booking.id)) === false);
    await sweep(t, workspace);
  });
}

test('a platform key rolled during a hold: an unpaid hold ends once the processor can be queried', async (t) => {
  const { workspace, booking } = await pendingBooking(10);
  await withProxyFaults(workspace, [ROLLED_KEY], async () => {
    await until(() => isFlagged(booking.id));
    t.is(await readStatus(workspace, booking.id), 'pending_payment');
  });
  await untilStatus(workspace.api, booking.id, 'expired');
  const { sessions } = await processorLedger(workspace);
  t.is(sessions[0]!.status, 'expired');
  await sweep(t, workspace);
});

test('a platform key rolled during a create: the response is 502, and the slot is free', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const body = bookingBody(room.id);
  await withProxyFaults(workspace, [ROLLED_KEY], async () => {
    const refused = await workspace.api.post('/v1/bookings', body);
    t.is(refused.status, 502, JSON.stringify(refused.body));
    t.is(refused.body.error.code, 'processor_error');
  });
  t.is((await workspace.api.post('/v1/bookings', body)).status, 201);
  await sweep(t, workspace);
});

test('a platform key rolled during a refund: the refund does not fail, and is made once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const findRefund = async () =>
    (
      await db.query(`SELECT id, status FROM payments WHERE booking_id = $1 AND kind = 'refund'`, [
        booking.id,
      ])
    )[0];
  await withProxyFaults(workspace, [ROLLED_KEY], async () => {
    const cancelled = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    t.is(cancelled.status, 200, JSON.stringify(cancelled.body));
    t.is(cancelled.body.refund!.status, 'pending');
    const { id } = await findRefund();
    await until(() => isFlagged(id));
    t.is((await findRefund()).status, 'pending');
  });
  await until(async () => (await findRefund()).status === 'succeeded');
  t.is((await processorLedger(workspace)).refunds.length, 1);
  await sweep(t, workspace);
});

test('a platform key rolled during a change: the charge is found, and the difference charged once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const end_at = hoursLater(booking.end_at, 1);
  // The charge is made, and its response is lost: a refused key afterwards is no proof
  // that nothing was charged.
  const lost = {
    fault: 'cut' as const,
    method: 'POST',
    path: '/v1/payment_intents',
    after_effect: true,
    times: 1,
  };
  const refused = { ...ROLLED_KEY, method: 'POST', path: '/v1/payment_intents' };
  await withProxyFaults(workspace, [lost, refused], async () => {
    const { status, body } = await api.patch(`/v1/bookings/${booking.id}`, { end_at });
    t.is(status, 200, 'the charge is looked up before its refusal counts');
    t.is(body.price.amount_minor, 6_000);
    t.deepEqual(
      (await listIntercepted(workspace)).slice(0, 2).map(({ fault }) => fault),
      ['cut', 'status'],
    );
  });
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.end_at, end_at);
  t.is((await processorLedger(workspace)).charges.length, 2);
  await sweep(t, workspace);
});

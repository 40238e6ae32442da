import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { newBookedWorkspace, openInvoice, syncBooks } from '../support/accounting.js';
import { WORKFLOWS, workflowIds } from '../../workflows/contract.js';
import { newObjectId, newSubscriber, storeEvents, untilAttempts } from '../support/events.js';
import { createMember } from '../api/member-calls.js';
import { newHouse, newSubscription } from '../support/tiers.js';
import {
  bookingBody,
  db,
  internal,
  newRoom,
  newWorkspace,
  pay,
  sessionOf,
  simulator,
  until,
  untilStatus,
  withFaults,
} from '../support/stack.js';
import { temporal } from '../support/temporal.js';

/**
 * Saves a history of every state a run can be in, for replay.test.ts. Run against a running stack when a new
 * state is added (`HOLDFAST_DEV_JSON=… node --import tsx test/workflows/record-histories.ts`); histories that are
 * there stay, since runs of old versions are what a new version must go on with.
 */
async function record(name: string, workflowId: string): Promise<void> {
  const history = await temporal.workflow.getHandle(workflowId).fetchHistory();
  const file = `test/histories/${name}.json`;
  await writeFile(file, historyToJSON(history), { flag: 'wx' }).catch((error) => {
    if (error.code !== 'EEXIST') throw error;
  });
  console.log(`${name}: ${history.events!.length} events`);
}

const main = await newWorkspace();
const { api } = main;
const room = await newRoom(api);
const brief = await newWorkspace({ hold_seconds: 10 });
const briefRoom = await newRoom(brief.api);
const create = async (overrides = {}) =>
  (await api.post('/v1/bookings', bookingBody(room.id, overrides))).body;
const createBrief = async () => (await brief.api.post('/v1/bookings', bookingBody(briefRoom.id))).body;

const isOver = async (id: string): Promise<boolean> =>
  (await temporal.workflow.getHandle(id).describe()).status.name === 'COMPLETED';

const pending = await create();
await record('booking-pending', pending.id);

const confirmed = await create();
await pay(confirmed);
await untilStatus(api, confirmed.id, 'confirmed');
await record('booking-confirmed', confirmed.id);

const free = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
const gift = await create({ room_id: free.id });
await record('booking-free', gift.id);

const paidLate = await createBrief();
const { payment_intent } = await pay(paidLate, { async: true });
await untilStatus(brief.api, paidLate.id, 'expired');
await simulator('POST', `/_sim/checkout/${sessionOf(paidLate)}/settle`, {});
const refunded = () =>
  internal('verify_payment', { payment_intent_id: payment_intent }).then(
    ({ body }) => body.error?.details?.refund_id,
  );
const refundId = await until(refunded);
await until(() => isOver(refundId));
await record('booking-expired', paidLate.id);
await record('verify-payment-late', `verify-${payment_intent}`);
await record('refund', refundId);

const changed = await create();
await pay(changed);
await untilStatus(api, changed.id, 'confirmed');
const later = (hours: number) => new Date(Date.parse(changed.end_at) + hours * 3_600_000).toISOString();
await api.patch(`/v1/bookings/${changed.id}`, { end_at: later(1) });
await api.patch(`/v1/bookings/${changed.id}`, { end_at: later(0) });
await record('booking-changed', changed.id);
await api.post(`/v1/bookings/${changed.id}/cancel`, {});
await until(() => isOver(changed.id));
await record('booking-cancelled', changed.id);
const leftUnpaid = await create();
await api.post(`/v1/bookings/${leftUnpaid.id}/cancel`, {});
await until(() => isOver(leftUnpaid.id));
await record('booking-cancelled-unpaid', leftUnpaid.id);

const idempotency_key = randomUUID();
await withFaults(
  main,
  { fail: [{ method: 'POST', path: '/v1/checkout/sessions', status: 400, times: 1 }] },
  () => create({ idempotency_key }),
);
const [{ booking_id }] = await db.query(
  `SELECT booking_id FROM booking_requests WHERE idempotency_key = $1`,
  [idempotency_key],
);
await until(() => isOver(booking_id));
await record('booking-refused', booking_id);

const { body: summary } = await internal('run_job', { job: 'self_heal' });
console.log('self-heal', summary);
const booked = await newBookedWorkspace();
const invoice = await openInvoice(booked);
await syncBooks(booked);
await booked.api.post(`/v1/invoices/${invoice.id}/void`, { reason: 'for the record' });
await record('invoice-books', `acc_${invoice.id}`);
const { workspace, api: subscriber, receiver } = await newSubscriber();
await storeEvents(workspace.id, [newObjectId()]);
const deliveryOver = async (turns: number) => {
  await receiver.untilReceived(turns);
  await until(() => isOver(workflowIds.webhookDelivery(workspace.id)));
};
await deliveryOver(1);
await record('webhook-delivery', workflowIds.webhookDelivery(workspace.id));
receiver.reply = () => 500;
const [retried] = await storeEvents(workspace.id, [newObjectId()]);
await untilAttempts(subscriber, retried!, 3);
receiver.reply = () => 200;
await deliveryOver(4);
await record('webhook-delivery-retried', workflowIds.webhookDelivery(workspace.id));
await subscriber.post(`/v1/events/${retried}/redeliver`);
await record('redelivery', workflowIds.redelivery(retried!));
receiver.reply = () => 410;
await storeEvents(workspace.id, [newObjectId()]);
const mail = await until(async () => {
  const rows = await db.query(`SELECT id FROM owner_mails WHERE workspace_id = $1 AND sent_at IS NOT NULL`, [
    workspace.id,
  ]);
  return rows[0];
});
await until(() => isOver(workflowIds.ownerMail(mail.id)));
await record('owner-mail', workflowIds.ownerMail(mail.id));

const house = await newHouse();
await newSubscription(house);
const upgraded = await createMember(house.api, { tier: 'basic' });
await house.api.patch(`/v1/members/${upgraded.id}`, { tier: 'pro' });
const runIsOver = (id: string) => until(() => isOver(id).catch(() => false));
await runIsOver(workflowIds.tierChanges(house.id));
await record('tier-changes', workflowIds.tierChanges(house.id));
await createMember(house.api, { send_invite: true });
await runIsOver(workflowIds.memberInvites(house.id));
await record('member-invites', workflowIds.memberInvites(house.id));
await internal('run_job', { job: 'member_cycle', workspace_id: house.id });
// Of every other workflow the last run that has ended, if the stack has had one: run the suite on it first.
for (const type of Object.values(WORKFLOWS)) {
  const query = `WorkflowType = '${type}' AND ExecutionStatus = 'Completed'`;
  for await (const { workflowId, historyLength } of temporal.workflow.list({ query })) {
    if (historyLength > 200) continue;
    await record(
      type.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      workflowId,
    );
    break;
  }
}
process.exit(0);

import test from 'ava';
import { confirmedBooking, hoursLater, pay } from '../support/bookings.js';
import { processorLedger, simulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { temporal } from '../support/temporal.js';
import { countClaims, pendingChange } from '../support/pending-change-calls.js';

/** Its bank gives the payer a day's notice of an off-session charge. */
const MANDATE_CARD = '4000003560000297';

/** The attempts to pay for a booking's changes, oldest first. */
const listAttempts = (bookingId: string) =>
  db.query(
    `SELECT k.state, k.refusal_code, k.amount_minor, k.charged_change_id IS NOT NULL AS by_card,
            k.payment_method_id IS NOT NULL AS has_card
     FROM checkouts k JOIN booking_changes c ON c.id IN (k.change_id, k.charged_change_id)
     WHERE c.booking_id = $1 ORDER BY k.created_at`,
    [bookingId],
  );

const dueCharges = async (workspace: TestWorkspace) =>
  (await processorLedger(workspace)).payment_intents.filter(({ metadata }) => metadata.change_id);

/** Requests one more hour. The response is 502 while the bank has not decided. */
async function lengthen(workspace: TestWorkspace, card?: string) {
  const { booking } = await confirmedBooking(workspace.api, { card });
  const path = `/v1/bookings/${booking.id}` as const;
  const end_at = hoursLater(booking.end_at, 1);
  const { status } = await workspace.api.patch(path, { end_at });
  return { booking, path, end_at, status };
}

const settle = async (workspace: TestWorkspace) => {
  const [intent] = await dueCharges(workspace);
  await simulator('POST', `/_sim/payment_intents/${intent!.id}/settle`, {});
};

test('the charge of a change is stored as an attempt, paid or refused', async (t) => {
  const workspace = await newWorkspace();
  const paid = await lengthen(workspace);
  t.is(paid.status, 200);
  const attempt = { by_card: true, has_card: true, amount_minor: 3_000 };
  t.deepEqual(await listAttempts(paid.booking.id), [{ ...attempt, state: 'paid', refusal_code: null }]);
  const refused = await lengthen(workspace, '4000000000000341');
  t.is(refused.status, 402);
  const [declined, ...others] = await listAttempts(refused.booking.id);
  t.like(declined, { ...attempt, state: 'closed' });
  t.truthy(declined.refusal_code);
  t.deepEqual(others, []);
  await sweep(t, workspace);
});

test('a change has two attempts if the bank asks for authentication: the charge, then the page', async (t) => {
  const workspace = await newWorkspace();
  const { booking, path, end_at, pending } = await pendingChange(t, workspace);
  const charge = { by_card: true, has_card: true, amount_minor: 3_000 };
  const ended = { ...charge, state: 'closed', refusal_code: 'authentication_required' };
  const page = { by_card: false, has_card: false, amount_minor: 3_000, refusal_code: null };
  t.deepEqual(await listAttempts(booking.id), [ended, { ...page, state: 'open' }]);
  await pay(pending);
  await until(async () => (await workspace.api.get(path)).body.end_at === end_at);
  t.deepEqual(await listAttempts(booking.id), [ended, { ...page, state: 'paid' }]);
  await sweep(t, workspace);
});

test('a cancellation ends a change immediately and follows its charge, and a late payment is refunded once', async (t) => {
  const workspace = await newWorkspace();
  const { booking, path } = await lengthen(workspace, MANDATE_CARD);
  t.is((await workspace.api.post(`${path}/cancel`, { refund_policy: 'full' })).status, 200);
  const [change] = await db.query(
    `SELECT state, outcome #>> '{context,details,reason}' AS reason FROM booking_changes
     WHERE booking_id = $1 AND kind = 'change'`,
    [booking.id],
  );
  t.deepEqual(change, { state: 'refused', reason: 'cancelled' });
  t.is(await countClaims(booking.id), 0);
  await settle(workspace);
  await until(async () => (await listAttempts(booking.id))[0].state === 'paid');
  await until(async () => (await processorLedger(workspace)).refunds.length === 2);
  await until(
    async () => (await temporal.workflow.getHandle(booking.id).describe()).status.name === 'COMPLETED',
  );
  await sweep(t, workspace);
});

test('a charge without a stored end is ended without touching the page of the change', async (t) => {
  const workspace = await newWorkspace();
  const { booking, path, end_at, pending } = await pendingChange(t, workspace);
  await db.query(
    `UPDATE checkouts SET state = 'opening', refusal_code = NULL
     WHERE charged_change_id IN (SELECT id FROM booking_changes WHERE booking_id = $1)`,
    [booking.id],
  );
  await temporal.workflow.getHandle(booking.id).terminate('lost');
  // A change starts the run again. It is refused, and the run follows the charge.
  t.is((await workspace.api.patch(path, { notes: 'Window' })).status, 409);
  await until(async () => (await listAttempts(booking.id))[0].state === 'closed');
  await pay(pending);
  await until(async () => (await workspace.api.get(path)).body.end_at === end_at);
  t.deepEqual(
    (await listAttempts(booking.id)).map(({ state }: { state: string }) => state),
    ['closed', 'paid'],
  );
  await sweep(t, workspace);
});

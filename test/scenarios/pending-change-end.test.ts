import test from 'ava';
import { rereadBooking } from '../../contract/bookings.js';
import { internal } from '../support/api-client.js';
import {
  bookingBody,
  listEvents,
  moveIntoPast,
  pay,
  pendingBooking,
  checkoutSessionId,
} from '../support/bookings.js';
import { mailTo, processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { temporal } from '../support/temporal.js';
import { LINK, book, listChangeEvents, countClaims, pendingChange } from '../support/pending-change-calls.js';
import { message } from '../support/message.js';

/** Waits until the payments taken by a link's session have been refunded in full. */
const untilRefunded = (bookingId: string, amount: number) =>
  until(async () => {
    const [late] = await db.query(
      `SELECT refunded_minor, status FROM payments WHERE booking_id = $1 AND refusal IS NOT NULL`,
      [bookingId],
    );
    return late?.status === 'refunded' && late.refunded_minor === amount;
  });

test('an unpaid change lapses: the new slot is released, the page is closed, and late money is refunded', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [first, second] = await Promise.all([book(workspace), book(workspace)]);
  await api.patch('/v1/workspace', { checkout_hold_seconds: 12 });
  const [lapsed, late] = await Promise.all([
    pendingChange(t, workspace, first),
    pendingChange(t, workspace, second),
  ]);
  // An asynchronous payment is in progress when the change lapses, and succeeds afterwards.
  await pay(late.pending, { async: true });
  for (const { booking, path, end_at } of [lapsed, late]) {
    await until(async () => (await countClaims(booking.id)) === 1);
    t.is((await api.get(path)).body.end_at, booking.end_at);
    const next = bookingBody(booking.room_id, { start_at: booking.end_at, end_at });
    t.is((await api.post('/v1/bookings', next)).status, 201);
  }
  t.deepEqual(
    (await listChangeEvents(lapsed.booking.id)).map(
      ({ type, change }: { type: string; change: { ended: string | null } }) => [type, change.ended],
    ),
    [
      ['booking.change_pending', null],
      ['booking.change_lapsed', 'lapsed'],
    ],
  );
  await t.throwsAsync(pay(lapsed.pending), { message: /status of `expired`/ });
  const page = await fetch(
    `${dev.baseUrl}/checkout/success?session_id=` +
      `${checkoutSessionId({ checkout_url: lapsed.pending.checkout_url })}`,
  );
  t.true((await page.text()).includes(message('payer.not_changed')));

  await settle(late.pending);
  await untilRefunded(late.booking.id, 3_000);
  const about = message('mail.late_subject', { room: 'Blue room' });
  const refund = await until(async () => (await mailTo(late.email)).find(({ subject }) => subject === about));
  t.true(refund.text.includes(message('mail.late_not_due', { amount: '£30.00' })));
  t.is((await api.get(late.path)).body.end_at, late.booking.end_at);
  await cancelOthers(workspace);
  await sweep(t, workspace);
});

const settle = async (pending: { checkout_url: string }): Promise<void> => {
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(pending)}/settle`);
};

/** Cancels the unpaid bookings that took a free slot. */
async function cancelOthers({ api, id }: TestWorkspace): Promise<void> {
  const pending = await db.query(
    `SELECT id FROM bookings WHERE workspace_id = $1 AND status = 'pending_payment'`,
    [id],
  );
  for (const booking of pending) await api.post(`/v1/bookings/${booking.id}/cancel`, {});
}

test('a change is withdrawn by request or by a cancellation, and its page is closed, if necessary by self-heal', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 50 });
  const { api } = workspace;
  const { booking, email, path, end_at, pending } = await pendingChange(t, workspace);
  const about = message('mail.change_subject', { room: 'Blue room' });
  const mail = await until(async () => (await mailTo(email)).find(({ subject }) => subject === about));
  t.true(mail.text.includes(pending.checkout_url), 'who has not paid soon gets the link');
  t.regex(mail.text, /^To change your booking to .*, pay £30\.00\./m);
  t.is((await api.delete(`${path}/pending-change`)).status, 204);
  t.is(await countClaims(booking.id), 1);
  await until(() => isClosed(workspace, pending));
  t.is((await listChangeEvents(booking.id)).at(-1).change.ended, 'withdrawn');
  t.is((await api.delete(`${path}/pending-change`)).status, 404);
  const withdrawals = async () =>
    (await api.get('/v1/audit-log?action=booking.change_withdrawn')).body.data.map(
      ({ actor, object, details }) => ({ member: 'member_id' in actor, object, details }),
    );
  const details = { pending_change_id: pending.id };
  t.deepEqual(await withdrawals(), [{ member: true, object: booking.id, details }]);
  t.is((await api.get(path)).body.end_at, booking.end_at);
  const again = await api.patch(path, { end_at, ...LINK });
  t.is(again.status, 202);

  const page = `/v1/checkout/sessions/${checkoutSessionId(again.body.pending_change)}/expire` as const;
  const down = { fail: [{ method: 'POST', path: page, status: 500, times: 100 }] };
  const cancelled = await withFaults(workspace, down, async () => {
    const response = await api.post(`${path}/cancel`, { refund_policy: 'full' });
    t.is(await temporal.workflow.getHandle(booking.id).result(), 'cancelled');
    t.false(await isClosed(workspace, again.body.pending_change), 'the processor is unavailable');
    return response;
  });
  t.is(cancelled.status, 200);
  t.is(cancelled.body.refund!.amount_minor, 3_000);
  t.is(await countClaims(booking.id), 0);
  // What the run could not close immediately, self-heal closes.
  await until(async () => {
    await selfHeal(workspace);
    return isClosed(workspace, again.body.pending_change);
  });
  const types = (await listEvents(booking.id)).map(({ type }) => type);
  t.deepEqual(types.slice(-2), ['booking.change_lapsed', 'booking.cancelled']);
  t.is((await withdrawals()).length, 1, 'the cancellation has its own entry');
  await sweep(t, workspace);
});

test('the page of a change whose booking has ended is closed, later if the processor does not answer', async (t) => {
  const workspace = await newWorkspace();
  const pages = await Promise.all([1, 2].map(() => pendingChange(t, workspace)));
  const [first, second] = [pages[0]!, pages[1]!];
  const untilOver = async ({ booking }: typeof first) => {
    const run = temporal.workflow.getHandle(booking.id);
    await moveIntoPast(booking.id);
    await run.signal(rereadBooking);
    t.is(await run.result(), 'completed');
    t.is((await listChangeEvents(booking.id)).at(-1).change.ended, 'over');
  };
  await untilOver(first);
  t.true(await isClosed(workspace, first.pending));

  await withFaults(workspace, downPage(second.pending), async () => {
    await untilOver(second);
    await selfHeal(workspace);
    t.false(await isClosed(workspace, second.pending), 'the processor is unavailable');
  });
  await until(async () => {
    await selfHeal(workspace);
    return isClosed(workspace, second.pending);
  });
});

test('the page of a booking that was cancelled unpaid is closed by self-heal if its run was lost', async (t) => {
  const { workspace, booking } = await pendingBooking();
  await withFaults(workspace, downPage(booking), async () => {
    t.is((await workspace.api.post(`/v1/bookings/${booking.id}/cancel`)).status, 200);
    await temporal.workflow.getHandle(booking.id).terminate();
  });
  t.false(await isClosed(workspace, booking));
  await until(async () => {
    await selfHeal(workspace);
    return isClosed(workspace, booking);
  });
});

/** A page that the processor neither shows nor closes. */
const downPage = (pending: { checkout_url: string | null }) => {
  const page = `/v1/checkout/sessions/${checkoutSessionId(pending)}` as const;
  return {
    fail: [
      { method: 'GET', path: page, status: 500, times: 1_000 },
      { method: 'POST', path: `${page}/expire`, status: 500, times: 1_000 },
    ],
  };
};

const selfHeal = ({ id }: TestWorkspace) => internal('run_job', { job: 'self_heal', workspace_id: id });

const isClosed = async (
  workspace: TestWorkspace,
  pending: { checkout_url: string | null },
): Promise<boolean> => {
  const { sessions } = await processorLedger(workspace);
  return sessions.find(({ id }) => id === checkoutSessionId(pending))?.status === 'expired';
};

test('when a change is withdrawn and paid concurrently, either it is made or the money is refunded', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const changes = await Promise.all([1, 2, 3].map(() => pendingChange(t, workspace)));
  await Promise.all(
    changes.map(async ({ booking, path, end_at, pending }, index) => {
      const paid = pay(pending).then(
        () => true,
        () => false,
      );
      if (index > 0) await paid;
      const { status } = await api.delete(`${path}/pending-change`);
      t.true([204, 404, 409].includes(status), `${status}`);
      if (status === 204) {
        if (await paid) await untilRefunded(booking.id, 3_000);
        t.is((await api.get(path)).body.end_at, booking.end_at);
      } else t.is((await api.get(path)).body.end_at, end_at);
    }),
  );
  await sweep(t, workspace);
});

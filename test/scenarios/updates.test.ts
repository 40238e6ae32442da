import test from 'ava';
import { confirmedBooking, pendingBooking, checkoutSessionId } from '../support/bookings.js';
import { withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { temporal } from '../support/temporal.js';

test('a run continues as new under clients who never pause, and still makes their changes', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const run = temporal.workflow.getHandle(booking.id);
  const first = (await run.describe()).runId;
  let changes = 0;
  let continued = false;
  // Each client sends its next change as soon as it has a response, so the run always has one to process.
  const client = async (name: string): Promise<void> => {
    while (!continued && changes < 1_000) {
      const { status, body } = await workspace.api.patch(`/v1/bookings/${booking.id}`, {
        notes: `${name} ${changes}`,
      });
      t.is(status, 200, JSON.stringify(body));
      changes++;
      if (changes % 10 === 0) continued ||= (await run.describe()).runId !== first;
    }
  };
  await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(client));
  t.true(continued, `${changes} changes in one run`);
  const { body } = await workspace.api.get(`/v1/bookings/${booking.id}`);
  t.is(body.sequence, changes);
  await sweep(t, workspace);
});

test('a booking whose hold has expired and whose checkout cannot be closed can be cancelled', async (t) => {
  const { workspace, booking } = await pendingBooking(10);
  const { api } = workspace;
  const path = `/v1/checkout/sessions/${checkoutSessionId(booking)}*` as const;
  const fail = ['GET', 'POST'].map((method) => ({ method, path, status: 503, times: 1_000 }));
  await withFaults(workspace, { fail }, async () => {
    await until(async () => {
      const details = await temporal.workflow
        .getHandle(booking.id)
        .query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
      return /closing the checkout keeps failing/.test(details.currentDetails);
    });
    const cancelled = await api.post(`/v1/bookings/${booking.id}/cancel`, {});
    t.is(cancelled.status, 200, JSON.stringify(cancelled.body));
    t.is(cancelled.body.status, 'cancelled');
    // The session is still open, and the run keeps trying to close it. Meanwhile it accepts updates.
    const again = await api.post(`/v1/bookings/${booking.id}/cancel`, {});
    t.is(again.status, 200, JSON.stringify(again.body));
  });
  await until(async () => {
    const [checkout] = await db.query(`SELECT state FROM checkouts WHERE booking_id = $1`, [booking.id]);
    return checkout.state === 'closed';
  });
  await sweep(t, workspace);
});

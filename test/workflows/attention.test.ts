import type { WorkflowHandle } from '@temporalio/client';
import test from 'ava';
import type { BookingRunState } from '../../activities/index.js';
import type { CollectionAction } from '../../commands/invoices/collections.js';
import { collectionChanged } from '../../contract/invoices.js';
import { rereadBooking } from '../../contract/bookings.js';
import { WORKFLOWS } from '../../contract/names.js';
import { DAY_MS } from '../../domain/durations.js';
import { temporal } from '../support/temporal.js';
import { until } from '../support/until.js';
import { withWorker, type Stubs } from './stub-worker.js';

const at = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();
const CONFIRMED: BookingRunState = {
  status: 'confirmed',
  expiresAt: null,
  roomId: 'room',
  startAt: at(1),
  endAt: at(2),
  unsettledChange: null,
  pendingChange: null,
  abandonedCheckout: null,
};
/** Its hold is over, and its page says that it was paid. */
const HELD: BookingRunState = { ...CONFIRMED, status: 'pending_payment', expiresAt: at(-1) };
/** The page for its change says that it was paid. */
const CHANGING: BookingRunState = {
  ...CONFIRMED,
  pendingChange: { changeId: 'chg_1', checkoutId: 'chk_1', expiresAt: at(-1) },
};

/**
 * A booking whose hosted page is paid by an unexpected payment. `now`: its state. By the start of another run
 * it is confirmed.
 */
function bookingStubs(now: () => BookingRunState): Stubs {
  let runs = 0;
  return {
    openBooking: async () => (runs++ === 0 ? now() : CONFIRMED),
    findBookingState: async () => now(),
    closeCheckout: async () => ({ kind: 'paid', paymentIntentId: 'pi_1' }),
    settleReport: async () => ({ outcome: { kind: 'unpaid' }, state: now() }),
  };
}

const start = (workflow: string, taskQueue: string, input: object) =>
  temporal.workflow.start(workflow, { taskQueue, workflowId: taskQueue, args: [input] });

const needsAttention = async (run: WorkflowHandle): Promise<boolean> =>
  (await run.describe()).searchAttributes.AttentionNeeded?.[0] === true;

for (const [what, troubled] of Object.entries({ booking: HELD, change: CHANGING }))
  test(`the attention for a paid page of a ${what} ends with its cause, even in another run`, async (t) => {
    let now = troubled;
    const taskQueue = `test-attention-${what}-${Date.now()}`;
    const { workflow } = temporal;
    const stubs = bookingStubs(() => now);
    await withWorker(taskQueue, stubs, async () => {
      const { firstExecutionRunId } = await start(WORKFLOWS.booking, taskQueue, { bookingId: taskQueue });
      const run = workflow.getHandle(taskQueue);
      await until(() => needsAttention(run));
      now = CONFIRMED;
      await run.signal(rereadBooking);
      await until(async () => !(await needsAttention(run)));

      now = troubled;
      await until(async () => {
        await run.signal(rereadBooking);
        return (await run.describe()).runId !== firstExecutionRunId;
      });
      await until(async () => !(await needsAttention(run)));
      t.false(await needsAttention(run));
      await run.terminate();
    });
  });

test('the attention for an unsettled charge of an invoice ends when it was settled otherwise', async (t) => {
  let next: CollectionAction = { do: 'charge', checkoutId: 'chk_1' };
  const taskQueue = `test-attention-collect-${Date.now()}`;
  const stubs: Stubs = {
    advanceCollection: async () => next,
    chargeInvoice: async () => ({ kind: 'paid', paymentIntentId: 'pi_1' }),
    settleReport: async () => ({ outcome: { kind: 'unpaid' }, paymentIntentId: 'pi_1', state: null }),
  };
  await withWorker(taskQueue, stubs, async () => {
    const run = await start(WORKFLOWS.collectInvoice, taskQueue, { invoiceId: 'inv_1' });
    await until(() => needsAttention(run));
    next = { do: 'end' };
    await run.signal(collectionChanged);
    t.is(await run.result(), 'ended');
    t.false(await needsAttention(run));
  });
});

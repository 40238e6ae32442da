import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation } from '@temporalio/client';
import { HOUR_MS } from '../../domain/durations.js';
import test, { type ExecutionContext } from 'ava';
import { failures } from '../../activities/failures.js';
import type { Activities } from '../../activities/index.js';
import { createUpdate } from '../../contract/bookings.js';
import { openCheckoutUpdate } from '../../contract/payments/checkouts.js';
import { WORKFLOWS } from '../../contract/names.js';
import { starts } from '../../contract/starts.js';
import { until } from '../support/until.js';
import { temporal } from '../support/temporal.js';
import { withWorker } from './stub-worker.js';

/** Runs `work` next to a worker with these activities. Returns the names of those that were called. */
async function withActivities(
  activities: Partial<Activities>,
  work: (taskQueue: string) => Promise<void>,
): Promise<string[]> {
  const called: string[] = [];
  const recorded = Object.entries(activities).map(([name, run]) => [
    name,
    (...args: unknown[]) => {
      called.push(name);
      return (run as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  const taskQueue = `test-${randomUUID()}`;
  await withWorker(taskQueue, Object.fromEntries(recorded), () => work(taskQueue));
  return called;
}

const databaseAway = () => Promise.reject(failures.referenceMissing('stands for: no database for 11 s'));

async function isWaiting(t: ExecutionContext, workflowId: string): Promise<void> {
  const { status } = await temporal.workflow.getHandle(workflowId).describe();
  t.is(status.name, 'RUNNING');
  await temporal.workflow.getHandle(workflowId).terminate();
}

test('a revived booking whose first call fails continues unchanged, and its payer’s session stays open', async (t) => {
  const state = {
    status: 'pending_payment' as const,
    expiresAt: new Date(Date.now() + HOUR_MS).toISOString(),
    roomId: randomUUID(),
    startAt: new Date(Date.now() + 7_200_000).toISOString(),
    endAt: new Date(Date.now() + 9_000_000).toISOString(),
    unsettledChange: null,
    pendingChange: null,
    abandonedCheckout: null,
  };
  const bookingId = `bk_${randomUUID()}`;
  const activities = {
    openBooking: databaseAway,
    releaseReservation: () => Promise.resolve(state),
    findBookingState: () => Promise.resolve(state),
    closeCheckout: () => Promise.resolve({ kind: 'closed' as const }),
    recordCheckout: () => Promise.resolve(),
    expireBooking: () => Promise.resolve({ ...state, status: 'expired' as const }),
  };
  const called = await withActivities(activities, async (taskQueue) => {
    const outcome = await temporal.workflow.executeUpdateWithStart(createUpdate, {
      updateId: 'create',
      startWorkflowOperation: new WithStartWorkflowOperation(WORKFLOWS.booking, {
        workflowId: bookingId,
        taskQueue,
        args: [{ bookingId }],
        workflowIdConflictPolicy: 'FAIL',
      }),
    });
    t.deepEqual(outcome, { kind: 'published' });
    await until(async () => {
      const metadata = await temporal.workflow
        .getHandle(bookingId)
        .query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
      return /Not paid yet/.test(metadata.currentDetails);
    });
    await isWaiting(t, bookingId);
  });
  t.deepEqual(called, ['openBooking', 'releaseReservation']);
});

test('a revived invoice checkout whose first call fails continues unchanged', async (t) => {
  const checkoutId = `chk_${randomUUID()}`;
  const activities = {
    openInvoiceCheckout: databaseAway,
    abandonInvoiceCheckout: () => Promise.resolve(new Date(Date.now() + HOUR_MS).toISOString()),
    closeCheckout: () => Promise.resolve({ kind: 'closed' as const }),
    recordCheckout: () => Promise.resolve(),
  };
  const called = await withActivities(activities, async (taskQueue) => {
    const outcome = await temporal.workflow.executeUpdateWithStart(openCheckoutUpdate, {
      updateId: 'create',
      startWorkflowOperation: new WithStartWorkflowOperation(
        WORKFLOWS.invoiceCheckout,
        starts(taskQueue).invoiceCheckout(checkoutId),
      ),
    });
    t.deepEqual(outcome, { kind: 'published' });
    await isWaiting(t, checkoutId);
  });
  t.deepEqual(called, ['openInvoiceCheckout', 'abandonInvoiceCheckout']);
});

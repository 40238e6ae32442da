import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdReusePolicy,
  WorkflowNotFoundError,
  type Client,
} from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { isId } from '../db/ids.js';
import { findRefund } from '../db/repositories/billing/refund-queries.js';
import { findAbandonedReservations } from '../db/repositories/bookings/abandoned-queries.js';
import { findBookingById } from '../db/repositories/bookings/booking-queries.js';
import { releaseReservation } from '../db/repositories/bookings/release-reservation.js';
import {
  type CheckoutToCheck,
  findCheckoutsToCheck,
  findOverdueBookings,
  findUnfinishedRefunds,
} from '../db/repositories/bookings/self-heal-queries.js';
import { transaction } from '../db/transaction.js';
import { bookingStartOptions, invoiceCheckoutOptions, ofWorkspace } from '../workflows/booking-start.js';
import {
  paymentConfirmed,
  WORKFLOWS,
  workflowIds,
  type PaymentNotification,
  type RefundInput,
} from '../workflows/contract.js';
import { failures } from './failures.js';

export type { CheckoutToCheck };

const PAGE = 100;

/** What the hourly job, and a late payment, need beside the processor: the candidates, and a way to wake a run. */
export function createSelfHealActivities(deps: {
  db: DataSource;
  client: Client;
  taskQueue: string;
  selfHealAfterSeconds: number;
}) {
  const { db, client, taskQueue } = deps;

  async function startOptions(bookingId: string) {
    const booking = await findBookingById(db.manager, bookingId);
    if (!booking) throw failures.referenceMissing(`booking ${bookingId}`);
    const options = bookingStartOptions(booking, taskQueue);
    return { ...options, workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE };
  }

  async function startIfMissing(start: () => Promise<unknown>): Promise<boolean> {
    try {
      await start();
      return true;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    }
  }

  return {
    /** Frees the slots that dead creates have kept. Returns how many. */
    async releaseAbandoned({ workspaceId }: { workspaceId?: string }): Promise<number> {
      let released = 0;
      for (const id of await findAbandonedReservations(db.manager, workspaceId)) {
        const done = await transaction(db, (tx) => releaseReservation(tx, id, 'abandoned'));
        released += done ? 1 : 0;
      }
      return released;
    },

    /** Live bookings whose run should have ended their hold or their time by now. */
    async listOverdueBookings({ workspaceId }: { workspaceId?: string }): Promise<string[]> {
      return findOverdueBookings(db.manager, workspaceId);
    },

    /** Refunds that must have a run. */
    async listUnfinishedRefunds({ workspaceId }: { workspaceId?: string }): Promise<string[]> {
      return findUnfinishedRefunds(db.manager, workspaceId);
    },

    /** A page of the checkouts that the processor hasn't called final, by id. */
    async listCheckoutsToCheck(input: { workspaceId?: string; after: string }): Promise<CheckoutToCheck[]> {
      const { selfHealAfterSeconds } = deps;
      return findCheckoutsToCheck(db.manager, {
        ...input,
        olderThanSeconds: selfHealAfterSeconds,
        limit: PAGE,
      });
    },

    /** Starts the run of a live booking or an open invoice checkout if it has none. Returns true if it had none. */
    async reviveOwner(ownerId: string): Promise<boolean> {
      if (!isId('bk', ownerId)) {
        const options = invoiceCheckoutOptions(ownerId, taskQueue);
        return startIfMissing(() => client.workflow.start(WORKFLOWS.invoiceCheckout, options));
      }
      const options = await startOptions(ownerId);
      return startIfMissing(() => client.workflow.start(WORKFLOWS.booking, options));
    },

    /** Starts the run that follows a refund if it has none. Returns true if it had none. */
    async reviveRefund(refundId: string): Promise<boolean> {
      const input: RefundInput = { refundId };
      const { workspace_id } = (await findRefund(db.manager, refundId))!;
      return startIfMissing(() =>
        client.workflow.start(WORKFLOWS.refund, {
          taskQueue,
          workflowId: workflowIds.refund(refundId),
          workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
          args: [input],
          staticSummary: 'Goes on with a refund whose run was lost',
          typedSearchAttributes: ofWorkspace(workspace_id),
        }),
      );
    },

    /** Tells the run that waits for a payment of it; a booking's is started from the row if it is gone. */
    async wakeOwner({ ownerId, news }: { ownerId: string; news: PaymentNotification }): Promise<void> {
      if (!isId('bk', ownerId)) {
        await client.workflow
          .getHandle(ownerId)
          .signal(paymentConfirmed, news)
          .catch((error) => {
            if (!(error instanceof WorkflowNotFoundError)) throw error;
          });
        return;
      }
      await client.workflow.signalWithStart(WORKFLOWS.booking, {
        ...(await startOptions(ownerId)),
        signal: paymentConfirmed,
        signalArgs: [news],
      });
    },
  };
}

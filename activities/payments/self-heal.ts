import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError, type Client } from '@temporalio/client';
import { heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { isId } from '../../db/ids.js';
import { listUnfinishedCardSetups } from '../../db/queries/payments/card.js';
import { findCheckoutById, findSessions } from '../../db/queries/payments/checkout.js';
import { listDisputedIntents } from '../../db/queries/payments/dispute.js';
import { RETRY_UNFUNDED_DAYS } from '../../commands/payments/record-refund.js';
import { findRefund } from '../../db/queries/payments/refund.js';
import { findAbandonedReservations } from '../../db/queries/bookings/abandoned.js';
import { findBookingById } from '../../db/queries/bookings/booking.js';
import { withdrawAbandonedChanges } from '../../commands/bookings/change/plan.js';
import { releaseReservation } from '../../commands/bookings/release-reservation.js';
import {
  type CheckoutToCheck,
  findCheckoutsToCheck,
  findOverdueBookings,
  findUnfinishedRefunds,
} from '../../db/queries/bookings/self-heal.js';
import type { Payment } from '../../db/entities/payments.js';
import { transaction } from '../../db/transaction.js';
import { rereadBooking } from '../../contract/bookings.js';
import { cardSetupReported } from '../../contract/payments/cards.js';
import { disputeReported } from '../../contract/payments/disputes.js';
import { WORKFLOWS, workflowIds } from '../../contract/names.js';
import { paymentConfirmed, type PaymentNotification } from '../../contract/payments/payments.js';
import { IF_MISSING } from '../../contract/run.js';
import { starts } from '../../contract/starts.js';
import { DAY_MS } from '../../domain/durations.js';
import { failures } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import { heartbeating } from '../heartbeating.js';
import { sweep } from '../sweep.js';

export type { CheckoutToCheck };

const PAGE = 100;

/** Ignores the error if the run that a signal is for has ended. */
async function unlessEnded(signal: Promise<void>): Promise<void> {
  await signal.catch((error) => {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  });
}

interface Page {
  /** All workspaces if absent. */
  workspaceId?: string;
  /** The last id of the previous page; empty for the first. */
  after: string;
}

/**
 * What the self-heal job checks, and restarts of lost runs
 * (docs/internals/architecture.md#payment-confirmation).
 */
export function createSelfHealActivities(deps: {
  db: DataSource;
  client: Client;
  processor: Processor;
  taskQueue: string;
  selfHealAfterSeconds: number;
}) {
  const { db, client } = deps;
  const startOptions = starts(deps.taskQueue);

  async function bookingStart(bookingId: string) {
    const booking = await findBookingById(db.manager, bookingId);
    if (!booking) throw failures.referenceMissing(`booking ${bookingId}`);
    return startOptions.booking(booking);
  }

  async function startIfMissing(
    type: string,
    start: Parameters<typeof client.workflow.start>[1],
  ): Promise<boolean> {
    try {
      await client.workflow.start(type, { ...start, ...IF_MISSING });
      return true;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
      throw error;
    }
  }

  /**
   * Returns which of the runs Temporal lists as running. The list lags some seconds behind, which does not
   * matter for an hourly job.
   */
  async function findRunning(ids: string[]): Promise<Set<string>> {
    const query = `ExecutionStatus = 'Running' AND WorkflowId IN (${ids.map((id) => `'${id}'`).join()})`;
    const running = new Set<string>();
    for await (const { workflowId } of client.workflow.list({ query })) running.add(workflowId);
    return running;
  }

  /**
   * Returns whether the account has enough balance. Each attempt is another refund at the processor, and
   * fails without balance.
   */
  async function canRetry({ account_id, currency, amount_minor, unfunded_since }: Payment): Promise<boolean> {
    if (Date.now() - unfunded_since!.getTime() > RETRY_UNFUNDED_DAYS * DAY_MS) return true;
    const available = await deps.processor.availableBalance(account_id!, currency);
    // Refunds in a currency that the account does not hold are paid from another one.
    return available === null || available >= amount_minor;
  }

  return {
    /**
     * Releases a page of the slots of abandoned create requests. Before the first page, withdraws abandoned
     * changes.
     */
    async releaseAbandoned(
      input: Page,
    ): Promise<{ released: number; failed: string[]; last: string | null }> {
      if (input.after === '') await withdrawAbandonedChanges(db.manager, input.workspaceId);
      const abandoned = await findAbandonedReservations(db.manager, { ...input, limit: PAGE });
      let released = 0;
      const failed = await sweep(abandoned, 'releasing an abandoned slot', async (id) => {
        if (await transaction(db, (tx) => releaseReservation(tx, id, 'abandoned'))) released++;
      });
      return { released, failed, last: abandoned.at(-1) ?? null };
    },

    /** Returns a page of the live bookings whose run should have expired or completed them by now, by id. */
    async listOverdueBookings(input: Page): Promise<string[]> {
      return findOverdueBookings(db.manager, { ...input, limit: PAGE });
    },

    /** Returns a page of the refunds that should have a run, by id. */
    async listUnfinishedRefunds(input: Page): Promise<string[]> {
      return findUnfinishedRefunds(db.manager, { ...input, limit: PAGE });
    },

    /** Returns a page of the checkouts whose state at the processor may not be final, by id. */
    async listCheckoutsToCheck(input: Page): Promise<CheckoutToCheck[]> {
      const { selfHealAfterSeconds } = deps;
      return findCheckoutsToCheck(db.manager, {
        ...input,
        olderThanSeconds: selfHealAfterSeconds,
        limit: PAGE,
      });
    },

    /**
     * Returns which of a page of checkouts have not changed: their pages are open at the processor, and the
     * runs that wait for them exist. None for an account that does not respond.
     */
    async listUnchangedCheckouts(checkouts: CheckoutToCheck[]): Promise<string[]> {
      const ids = checkouts.flatMap(({ checkoutId, abandoned }) => (abandoned ? [] : checkoutId));
      const sessions = await findSessions(db.manager, ids);
      const accounts = [...new Set(sessions.map(({ account_id }) => account_id))];
      const open = new Set<string>();
      await sweep(accounts, 'listing open checkouts', async (accountId) => {
        const ours = sessions.filter(({ account_id }) => account_id === accountId);
        const since = new Date(Math.min(...ours.map(({ created_at }) => created_at.getTime())));
        const list = (): Promise<string[]> => deps.processor.listOpenCheckouts(accountId, since);
        const listed = new Set(await heartbeating(list));
        for (const { id, session_id } of ours) if (listed.has(session_id)) open.add(id);
      });
      const unchanged = checkouts.filter(({ checkoutId }) => open.has(checkoutId));
      const awaited = unchanged.flatMap(({ pending, runId }) => (pending ? runId : []));
      const running = awaited.length > 0 ? await findRunning(awaited) : new Set();
      return unchanged
        .filter(({ pending, runId }) => !pending || running.has(runId))
        .map(({ checkoutId }) => checkoutId);
    },

    /**
     * Returns whether the account of a checkout can be read at the processor. Throws the errors of the call.
     */
    async isAccountAnswering(checkoutId: string): Promise<boolean> {
      const { account_id, currency } = (await findCheckoutById(db.manager, checkoutId))!;
      await deps.processor.availableBalance(account_id, currency);
      return true;
    },

    /**
     * Starts the run of a live booking or an open invoice checkout if it is missing. Returns true if it was.
     * An existing run of a booking reads the booking again.
     */
    async reviveOwnerRun(ownerId: string): Promise<boolean> {
      if (!isId('bk', ownerId))
        return startIfMissing(WORKFLOWS.invoiceCheckout, startOptions.invoiceCheckout(ownerId));
      const started = await startIfMissing(WORKFLOWS.booking, await bookingStart(ownerId));
      if (!started)
        await unlessEnded(client.workflow.getHandle(workflowIds.booking(ownerId)).signal(rereadBooking));
      return started;
    },

    /**
     * Starts the run of a refund if it is missing. A refund that lacks balance is retried once the account
     * has enough, or when its time is up. Returns true if the run was missing.
     */
    async reviveRefund(refundId: string): Promise<boolean> {
      const refund = await findRefund(db.manager, refundId);
      if (!refund) throw failures.referenceMissing(`refund ${refundId}`);
      const { workspace_id } = refund;
      if (!refund.unfunded_since || !(await canRetry(refund)))
        return startIfMissing(WORKFLOWS.refund, startOptions.refund(refundId, workspace_id, 'revived'));
      const start = startOptions.fundedRefund(refundId, workspace_id, 'revived');
      await client.workflow.signalWithStart(WORKFLOWS.refund, start);
      return false;
    },

    /**
     * Has a page of the disputes that have not ended read again, because an event about them may have been
     * lost.
     */
    async rereadDisputes(input: Page): Promise<{ failed: string[]; last: string | null }> {
      const disputed = await listDisputedIntents(db.manager, { ...input, limit: PAGE });
      const workspaceIds = new Map(disputed.map((each) => [each.payment_intent_id, each.workspace_id]));
      const failed = await sweep([...workspaceIds.keys()], 'reading disputes again', async (intentId) => {
        heartbeat();
        const start = startOptions.paymentDisputes(intentId, workspaceIds.get(intentId)!);
        await client.workflow.signalWithStart(WORKFLOWS.paymentDisputes, {
          ...start,
          signal: disputeReported,
        });
      });
      return { failed, last: disputed.at(-1)?.payment_intent_id ?? null };
    },

    /** Has the runs of a page of open card setups check their pages. A lost run is started again. */
    async lookAtCardSetups(input: Page): Promise<{ failed: string[]; last: string | null }> {
      const { selfHealAfterSeconds } = deps;
      const query = { ...input, olderThanSeconds: selfHealAfterSeconds, limit: PAGE };
      const setups = await listUnfinishedCardSetups(db.manager, query);
      const workspaceIds = new Map(setups.map(({ id, workspace_id }) => [id, workspace_id]));
      const failed = await sweep([...workspaceIds.keys()], 'looking at a card setup', async (id) => {
        heartbeat();
        await client.workflow.signalWithStart(WORKFLOWS.cardSetup, {
          ...startOptions.cardSetup(id, workspaceIds.get(id)!),
          signal: cardSetupReported,
        });
      });
      return { failed, last: setups.at(-1)?.id ?? null };
    },

    /**
     * Notifies the run that waits for a payment. If the run of a booking is missing, it is started from its
     * row.
     */
    async notifyOwnerRun(input: { ownerId: string; payment: PaymentNotification }): Promise<void> {
      const { ownerId, payment } = input;
      if (isId('bk', ownerId)) {
        await client.workflow.signalWithStart(WORKFLOWS.booking, {
          ...(await bookingStart(ownerId)),
          signal: paymentConfirmed,
          signalArgs: [payment],
        });
        return;
      }
      const run = client.workflow.getHandle(workflowIds.invoiceCheckout(ownerId));
      await unlessEnded(run.signal(paymentConfirmed, payment));
    },
  };
}

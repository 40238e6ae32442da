import { Context } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { claimEvent, recordAttempts, releaseEvent } from '../../commands/events/webhook-attempts.js';
import { findEndpoint } from '../../db/queries/events/webhook-endpoint.js';
import { notifyEndpoint } from '../../commands/events/webhook-endpoints.js';
import { type QueuedEvent, findDueRetries, findUnsentEvents } from '../../db/queries/events/webhook-queue.js';
import {
  endTurn,
  recordSent,
  startTurn,
  startTurnLocked,
  type UnstoredAttempts,
} from '../../commands/events/webhook-turns.js';
import { transaction } from '../../db/transaction.js';
import { createAttempts, type AttemptDependencies, type Receiver } from './attempts.js';
import { Recorder, sendInOrder } from './sending.js';

const PAGE = 1_000;
/** An activity starts no further attempts after this time, so that other workspaces soon get its slot. */
const SENDING_MS = 5_000;
/** An attempt that takes longer marks the receiver as slow. */
const SLOW_MS = 3_000;
const HEARTBEAT_MS = 2_000;

export interface DeliveryReport {
  delivered: number;
  failed: number;
  /** Events that are still queued. */
  waiting: number;
  /** Milliseconds until the next event is due; null if none is queued. */
  waitMs: number | null;
  /** ISO 8601; null unless every attempt since then has failed. */
  failingSince: string | null;
  /**
   * The receiver is slow or accepted nothing: the next activity runs in the task queue for slow receivers.
   */
  struggling: boolean;
  disabled: boolean;
}

/** The outcome of one attempt outside the queue. */
export type DeliveryOutcome = 'delivered' | 'failed' | 'not_subscribed';

interface Tally {
  delivered: number;
  failed: number;
  slow: boolean;
}

export interface WebhookDependencies extends AttemptDependencies {
  db: DataSource;
  /** Multiplies all delays, except for the timeout of an attempt. */
  webhookRetryScale: number;
}

/** Deliveries of events to the workspaces' webhook endpoints (docs/rules/events.md#delivery). */
export function createWebhookActivities({ db, sender, encryption, webhookRetryScale }: WebhookDependencies) {
  const { toReceiver, attempt } = createAttempts({ sender, encryption });

  /** Makes one attempt outside the queue, stored like any other. Notifies the workspace's delivery run. */
  async function attemptOnce(eventId: string, byRequest: boolean): Promise<DeliveryOutcome> {
    const event = await transaction(db, (tx) => claimEvent(tx, eventId));
    const endpoint =
      event && (event.claim || byRequest) ? await findEndpoint(db.manager, event.workspace_id) : null;
    if (!event || !endpoint) return 'not_subscribed';
    const result = await Promise.race([
      attempt(toReceiver(endpoint), event, byRequest),
      Context.current().cancelled,
    ]);
    await transaction(db, async (tx) => {
      await recordAttempts(tx, endpoint, [result], webhookRetryScale);
      if (event.claim && byRequest && !result.succeeded) await releaseEvent(tx, event.id, event.claim);
    });
    await notifyEndpoint(db.manager, event.workspace_id);
    return result.succeeded ? 'delivered' : 'failed';
  }

  /**
   * Sends all due events, retries first, until its time is up. Every attempt is stored, except for the last
   * ones: these are returned, to be stored when the turn ends.
   */
  async function sendDue(
    receiver: Receiver,
    hasRetries: boolean,
    tally: Tally,
  ): Promise<UnstoredAttempts | null> {
    const { workspace_id: workspaceId } = receiver;
    const { cancellationSignal, cancelled } = Context.current();
    const until = Date.now() + SENDING_MS;
    const store = (unstored: UnstoredAttempts): Promise<boolean> =>
      transaction(db, (tx) => recordSent(tx, receiver, unstored, webhookRetryScale));
    const recorder = new Recorder(store);
    const mayContinue = (): boolean =>
      !recorder.stopped && !tally.slow && !cancellationSignal.aborted && Date.now() < until;
    /** Objects with a failed event. Their later events wait for it. */
    const blocked = new Set<string>();

    async function send(event: QueuedEvent): Promise<boolean> {
      const result = await attempt(receiver, event);
      if (result.duration_ms > SLOW_MS) tally.slow = true;
      if (result.succeeded) tally.delivered++;
      else {
        tally.failed++;
        blocked.add(event.object_id);
      }
      recorder.add(result);
      return result.succeeded;
    }

    async function sendRetries(): Promise<void> {
      while (mayContinue()) {
        const due = await findDueRetries(db.manager, workspaceId, PAGE);
        if (due.length === 0) return;
        await sendInOrder(due, mayContinue, send);
        await recorder.stored();
      }
    }

    /**
     * Reads the next page while the current one is being sent. Errors are thrown when the page is awaited.
     */
    function read(after: number): ReturnType<typeof findUnsentEvents> {
      const page = findUnsentEvents(db.manager, workspaceId, after, PAGE);
      page.catch(() => undefined);
      return page;
    }

    async function sendUnsent(): Promise<void> {
      for (let reading = read(receiver.sentUpTo); mayContinue();) {
        const page = await reading;
        if (!page) return;
        // `endTurn` finds what is queued from now on.
        reading = page.isLast ? Promise.resolve(null) : read(page.upTo);
        const free = page.events.filter(({ object_id }) => !blocked.has(object_id));
        await sendInOrder(free, mayContinue, send);
        // The next activity reads an unfinished page again, without the delivered events.
        if (!mayContinue()) return;
        recorder.sentUpTo(page.upTo, page.isLast);
      }
    }

    try {
      const retries = hasRetries ? sendRetries() : Promise.resolve();
      await Promise.race([retries.then(sendUnsent), cancelled]);
    } catch (error) {
      if (cancellationSignal.aborted) return recorder.end();
      const unstored = await recorder.end();
      if (unstored) await store(unstored);
      throw error;
    }
    return recorder.end();
  }

  return {
    /**
     * Sends a workspace's due events to its endpoint for a few seconds at most. The activity can be killed at
     * any point: the next one repeats attempts that were not stored.
     */
    async deliverEvents(workspaceId: string): Promise<DeliveryReport> {
      const context = Context.current();
      const heartbeats = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      const tally: Tally = { delivered: 0, failed: 0, slow: false };
      let rest: Parameters<typeof endTurn>[2] = null;
      try {
        const first = await startTurn(db.manager, workspaceId);
        const turn =
          first?.is_overlapping || first?.failing_since
            ? await transaction(db, (tx) => startTurnLocked(tx, workspaceId, webhookRetryScale))
            : first;
        if (turn?.status === 'enabled') {
          const unstored = await sendDue(toReceiver(turn), turn.has_retries, tally);
          rest = unstored && { ...unstored, sentTo: turn };
        }
      } finally {
        clearInterval(heartbeats);
      }
      const left = await transaction(db, (tx) => endTurn(tx, workspaceId, rest, webhookRetryScale));
      return {
        delivered: tally.delivered,
        failed: tally.failed,
        waiting: left.waiting,
        waitMs: left.wait_ms,
        failingSince: left.failing_since?.toISOString() ?? null,
        struggling: tally.slow || (tally.failed > 0 && tally.delivered === 0),
        disabled: left.is_disabled,
      };
    },

    /**
     * Attempts an event immediately, outside the queue: one attempt of at most 15 s, the first of its
     * schedule. Does not send an event to which the endpoint is not subscribed, or that was already
     * delivered.
     */
    async tryEventNow(eventId: string): Promise<DeliveryOutcome> {
      return attemptOnce(eventId, false);
    },

    /** Sends an event again, regardless of earlier attempts, even to a disabled endpoint. */
    async redeliverEvent(eventId: string): Promise<DeliveryOutcome> {
      return attemptOnce(eventId, true);
    },
  };
}

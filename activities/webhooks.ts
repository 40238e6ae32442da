import { Context } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import type { Encryption } from '../db/encryption.js';
import {
  type AttemptRecord,
  claimEvent,
  recordAttempts,
} from '../db/repositories/events/webhook-attempts.js';
import { findEndpoint, secretContext } from '../db/repositories/events/webhook-endpoint-queries.js';
import { notifyEndpoint } from '../db/repositories/events/webhook-endpoints.js';
import {
  findDueRetries,
  findUnsentEvents,
  type QueuedEvent,
} from '../db/repositories/events/webhook-queue-queries.js';
import { advanceSentPosition, endTurn, startTurn } from '../db/repositories/events/webhook-turns.js';
import { transaction } from '../db/transaction.js';
import type { WebhookSender } from './gateways/webhook-sender.js';
import { signatureHeaders, type SigningSecrets } from './webhook-signature.js';
import { Recorder, sendInOrder } from './webhook-turn.js';

const EVENTS_AT_ONCE = 1_000;
/** After so long a turn starts no more attempts, so that nobody waits long for a place. */
const TURN_MS = 5_000;
/** An attempt that takes longer marks its receiver as slow. */
const SLOW_MS = 3_000;
const HEARTBEAT_MS = 2_000;

/** How a turn of deliveries ended. */
export interface TurnReport {
  delivered: number;
  failed: number;
  /** Events that are still queued, and in how many milliseconds the next is due; null for none. */
  waiting: number;
  waitMs: number | null;
  /** ISO 8601; null while the receiver takes what it is sent. */
  failingSince: string | null;
  /** The receiver is slow, or took nothing: its next turn is not in the way of others. */
  struggling: boolean;
  disabled: boolean;
}

/** What became of an event that was tried past its queue. */
export type TryOutcome = 'delivered' | 'failed' | 'not_subscribed';

interface Receiver {
  workspaceId: string;
  url: string;
  secrets: SigningSecrets;
  revision: number;
  sentUpTo: number;
}

interface Tally {
  delivered: number;
  failed: number;
  slow: boolean;
}

export interface WebhookDependencies {
  db: DataSource;
  sender: WebhookSender;
  encryption: Encryption;
  /** Multiplies every clock but the timeout of an attempt. */
  webhookRetryScale: number;
}

/** Deliveries of events to the operators' endpoints (spec.md, "Events"; decisions.md, "Events"). */
export function createWebhookActivities({ db, sender, encryption, webhookRetryScale }: WebhookDependencies) {
  /** The workspace's endpoint with its secrets, enabled or not. */
  async function findReceiver(workspaceId: string): Promise<(Receiver & { enabled: boolean }) | null> {
    const endpoint = await findEndpoint(db.manager, workspaceId);
    if (!endpoint) return null;
    const { url, revision, previous_secret, previous_secret_until } = endpoint;
    const open = (secret: Buffer): string => encryption.decrypt(secret, secretContext(workspaceId));
    const overlapping = previous_secret !== null && previous_secret_until! > new Date();
    const secrets = {
      current: open(endpoint.secret),
      previous: overlapping ? open(previous_secret) : null,
    };
    return {
      workspaceId,
      url,
      secrets,
      revision,
      sentUpTo: endpoint.sent_up_to,
      enabled: endpoint.status === 'enabled',
    };
  }

  async function attempt(
    receiver: Receiver,
    event: { id: string; body: string },
    by_request = false,
  ): Promise<AttemptRecord> {
    const at = new Date();
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Holdfast-Webhooks/1',
      ...signatureHeaders(event, receiver.secrets, at),
    };
    const answer = await sender.post({ url: receiver.url, headers, body: event.body });
    const succeeded = answer.status_code !== null && answer.status_code >= 200 && answer.status_code < 300;
    return { ...answer, event_id: event.id, at: at.toISOString(), succeeded, by_request };
  }

  const record = (workspaceId: string, attempts: AttemptRecord[]): Promise<number | null> =>
    transaction(db, (tx) => recordAttempts(tx, workspaceId, attempts, webhookRetryScale));

  /** One attempt past the queue, stored like any other; the queue's run hears of it. */
  async function tryPastQueue(eventId: string, byRequest: boolean): Promise<TryOutcome> {
    const event = await transaction(db, (tx) => claimEvent(tx, eventId));
    const receiver = event && (event.queued || byRequest) ? await findReceiver(event.workspace_id) : null;
    if (!event || !receiver) return 'not_subscribed';
    const result = await Promise.race([attempt(receiver, event, !event.queued), Context.current().cancelled]);
    await record(event.workspace_id, [result]);
    await notifyEndpoint(db.manager, event.workspace_id);
    return result.succeeded ? 'delivered' : 'failed';
  }

  /** Sends all that is due, retries first, until it is time to stop. Whatever was sent by then is stored. */
  async function takeTurn(receiver: Receiver, tally: Tally): Promise<void> {
    const { workspaceId, revision } = receiver;
    const { cancellationSignal, cancelled } = Context.current();
    const until = Date.now() + TURN_MS;
    const recorder = new Recorder(async (attempts) => (await record(workspaceId, attempts)) === revision);
    const goOn = (): boolean =>
      !recorder.stopped && !tally.slow && !cancellationSignal.aborted && Date.now() < until;
    /** Objects with an event that failed: their later ones wait behind it. */
    const stuck = new Set<string>();

    async function send(event: QueuedEvent): Promise<boolean> {
      const result = await attempt(receiver, event);
      if (result.duration_ms > SLOW_MS) tally.slow = true;
      if (result.succeeded) tally.delivered++;
      else {
        tally.failed++;
        stuck.add(event.object_id);
      }
      recorder.add(result);
      return result.succeeded;
    }

    async function sendRetries(): Promise<void> {
      while (goOn()) {
        const due = await findDueRetries(db.manager, workspaceId, EVENTS_AT_ONCE);
        if (due.length === 0) return;
        await sendInOrder(due, goOn, send);
        await recorder.stored();
      }
    }

    /** The next page is read while one is sent; if that fails it is told when the page is waited for. */
    function read(after: number): ReturnType<typeof findUnsentEvents> {
      const page = findUnsentEvents(db.manager, workspaceId, after, EVENTS_AT_ONCE);
      page.catch(() => undefined);
      return page;
    }

    async function sendFresh(): Promise<void> {
      for (let reading = read(receiver.sentUpTo); goOn();) {
        const page = await reading;
        if (!page) return;
        reading = read(page.upTo);
        const free = page.events.filter(({ object_id }) => !stuck.has(object_id));
        await sendInOrder(free, goOn, send);
        // A page that was left in the middle is read again in the next turn, without what was delivered.
        if (!goOn()) return;
        recorder.after(() =>
          transaction(db, (tx) => advanceSentPosition(tx, workspaceId, page.upTo, revision)),
        );
      }
    }

    try {
      await Promise.race([sendRetries().then(sendFresh), cancelled]);
    } catch (error) {
      if (!cancellationSignal.aborted) throw error;
    } finally {
      await recorder.end();
    }
  }

  return {
    /**
     * Sends what is due to a workspace's endpoint, for some seconds at most, and reports how it went. Cut off at
     * any point it loses nothing: an attempt that wasn't stored is made again, by whoever has the next turn.
     */
    async deliverEvents(workspaceId: string): Promise<TurnReport> {
      const context = Context.current();
      const beating = setInterval(() => context.heartbeat(), HEARTBEAT_MS);
      const tally: Tally = { delivered: 0, failed: 0, slow: false };
      try {
        await transaction(db, (tx) => startTurn(tx, workspaceId, webhookRetryScale));
        const receiver = await findReceiver(workspaceId);
        if (receiver?.enabled) await takeTurn(receiver, tally);
      } finally {
        clearInterval(beating);
      }
      const { waiting, wait_ms } = await transaction(db, (tx) => endTurn(tx, workspaceId, webhookRetryScale));
      const endpoint = await findEndpoint(db.manager, workspaceId);
      return {
        delivered: tally.delivered,
        failed: tally.failed,
        waiting,
        waitMs: wait_ms,
        failingSince: endpoint?.failing_since?.toISOString() ?? null,
        struggling: tally.slow || (tally.failed > 0 && tally.delivered === 0),
        disabled: endpoint?.status === 'disabled',
      };
    },

    /**
     * Tries an event at once, past its queue: one attempt of 15 s at most, the first of its schedule. An event that
     * nobody subscribes to, or that was delivered before, is not sent.
     */
    async tryEventNow(eventId: string): Promise<TryOutcome> {
      return tryPastQueue(eventId, false);
    },

    /** Sends an event once more, whatever became of it before, also to an endpoint that is disabled. */
    async redeliverEvent(eventId: string): Promise<TryOutcome> {
      return tryPastQueue(eventId, true);
    },
  };
}

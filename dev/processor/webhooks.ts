import { createHmac } from 'node:crypto';
import { API_VERSION } from './events.js';
import { findRegistration } from './registrations.js';
import { dropsWebhook } from './state/faults.js';
import type { Delivery, StoredEvent, StoredRegistration, Via, WebhookLogEntry } from './state/records.js';
import type { Store } from './state/store.js';
import type { Timers } from './timers.js';

/** Delays between attempts; the last one repeats. */
const RETRY_AFTER_SECONDS = [1, 2, 5, 15, 60, 300, 900, 3600];
const ATTEMPTS = 80;
const TIMEOUT_MS = 10_000;
const IN_FLIGHT = 16;

/** The deliveries to one registration. A slow receiver delays only those of its own registration. */
interface Queue {
  waiting: string[];
  inFlight: number;
}

/** Sends queued webhooks, several at a time, and retries until they are accepted. */
export class Webhooks {
  private readonly queues: Record<Via, Queue> = {
    platform: { waiting: [], inFlight: 0 },
    connect: { waiting: [], inFlight: 0 },
  };
  private readonly abort = new AbortController();

  constructor(
    private readonly store: Store,
    private readonly timers: Timers,
    /** Sent with each webhook, as a proxy in front of the receiver would add them. */
    private readonly extraHeaders: Record<string, string> = {},
  ) {
    for (const [id, delivery] of store.deliveries.entries()) this.schedule(id, delivery);
    store.deliveries.watch((id, delivery) => this.schedule(id, delivery));
  }

  /**
   * Sends an event once, immediately, regardless of faults and registrations. Returns the receiver's status.
   */
  async sendOnce(stored: StoredEvent): Promise<number> {
    const registration = findRegistration(this.store, stored.via);
    return registration ? this.post(stored, registration) : 0;
  }

  /** Aborts requests in flight. The next process sends them again. */
  close(): void {
    this.abort.abort();
  }

  private schedule(id: string, delivery: Delivery): void {
    this.timers.at(delivery.next_at, () => {
      const stored = this.store.events.get(delivery.event_id);
      if (stored) this.start(id, this.queues[stored.via]);
      else this.store.deliveries.delete(id);
    });
  }

  private start(id: string, queue: Queue): void {
    if (queue.inFlight >= IN_FLIGHT) {
      queue.waiting.push(id);
      return;
    }
    queue.inFlight += 1;
    void this.deliver(id).finally(() => {
      queue.inFlight -= 1;
      const next = queue.waiting.shift();
      if (next) this.start(next, queue);
    });
  }

  private async deliver(id: string): Promise<void> {
    const delivery = this.store.deliveries.get(id);
    const stored = delivery && this.store.events.get(delivery.event_id);
    const registration = stored && this.findReceiver(stored);
    if (!delivery || !registration) {
      this.store.deliveries.delete(id);
      return;
    }
    const status = await this.post(stored, registration);
    if (this.abort.signal.aborted) return;
    const attempt = delivery.attempt + 1;
    if ((status >= 200 && status < 300) || delivery.once || attempt >= ATTEMPTS) {
      this.store.deliveries.delete(id);
      return;
    }
    const wait = RETRY_AFTER_SECONDS[Math.min(attempt, RETRY_AFTER_SECONDS.length) - 1] ?? 0;
    this.store.deliveries.set(id, { ...delivery, attempt, next_at: Date.now() + wait * 1000 });
  }

  /** The registration to which an event is sent, if it still exists and no fault prevents it. */
  private findReceiver({ event, via, account }: StoredEvent): StoredRegistration | undefined {
    if (dropsWebhook(this.store.currentFaults(account), event.type, via)) return undefined;
    return findRegistration(this.store, via);
  }

  /** Sends an event in the API version of its registration. */
  private async post(
    { event, via, account }: StoredEvent,
    { object, secret }: StoredRegistration,
  ): Promise<number> {
    const body = JSON.stringify({ ...event, api_version: object.api_version ?? API_VERSION }, null, 2);
    let status = 0;
    try {
      const response = await fetch(object.url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          ...this.extraHeaders,
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': sign(body, secret),
          'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
        },
        signal: AbortSignal.any([this.abort.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      status = response.status;
      // The connection is only reused if the response has been read.
      await response.arrayBuffer();
    } catch {
      // No response, or none in time: status 0, and the delivery is retried.
    }
    if (!this.abort.signal.aborted) this.log({ type: event.type, event_id: event.id, via, account, status });
    return status;
  }

  private log(entry: Omit<WebhookLogEntry, 'at'>): void {
    this.store.log(this.store.webhooks_sent, { ...entry, at: new Date().toISOString() });
  }
}

/** The `Stripe-Signature` header for a body, with the current time. */
export function sign(body: string, secret: string): string {
  const timestamp = Math.floor(Date.now() / 1000);
  const signature = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${signature}`;
}

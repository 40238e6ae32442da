import { createHmac } from 'node:crypto';
import { currentFaults, dropsWebhook } from './faults.js';
import type { Delivery, StoredEvent, Via, WebhookLogEntry } from './state/records.js';
import type { Store } from './state/store.js';
import type { Timers } from './timers.js';

/** Delays between attempts; the last one repeats. */
const RETRY_AFTER_SECONDS = [1, 2, 5, 15, 60, 300, 900, 3600];
const ATTEMPTS = 80;
const TIMEOUT_MS = 10_000;
const IN_FLIGHT = 16;

/** The receiver of webhooks and the secrets that sign them. */
export interface Endpoint {
  url: string | null;
  /** Sent with each webhook, as a proxy in front of the receiver would add them. */
  headers?: Record<string, string>;
  secrets: Record<Via, string>;
}

/** Sends queued webhooks, several at a time, and retries until they are accepted. */
export class Webhooks {
  private readonly waiting: string[] = [];
  private readonly abort = new AbortController();
  private inFlight = 0;

  constructor(
    private readonly store: Store,
    private readonly timers: Timers,
    private readonly endpoint: Endpoint,
  ) {
    for (const [id, delivery] of store.deliveries.entries()) this.schedule(id, delivery);
    store.deliveries.watch((id, delivery) => this.schedule(id, delivery));
  }

  /** Sends an event once, immediately and regardless of faults. Returns the receiver's status. */
  async sendOnce(stored: StoredEvent): Promise<number> {
    return this.post(stored);
  }

  /** Aborts requests in flight. The next process sends them again. */
  close(): void {
    this.abort.abort();
  }

  private schedule(id: string, delivery: Delivery): void {
    if (!this.endpoint.url) this.timers.at(0, () => this.store.deliveries.delete(id));
    else this.timers.at(delivery.next_at, () => this.start(id));
  }

  private start(id: string): void {
    if (this.inFlight >= IN_FLIGHT) {
      this.waiting.push(id);
      return;
    }
    this.inFlight += 1;
    void this.deliver(id).finally(() => {
      this.inFlight -= 1;
      const next = this.waiting.shift();
      if (next) this.start(next);
    });
  }

  private async deliver(id: string): Promise<void> {
    const delivery = this.store.deliveries.get(id);
    const stored = delivery && this.store.events.get(delivery.event_id);
    if (!stored || dropsWebhook(currentFaults(this.store, stored.account), stored.event.type)) {
      this.store.deliveries.delete(id);
      return;
    }
    const status = await this.post(stored);
    if (this.abort.signal.aborted) return;
    const attempt = delivery.attempt + 1;
    if ((status >= 200 && status < 300) || delivery.once || attempt >= ATTEMPTS) {
      this.store.deliveries.delete(id);
      return;
    }
    const wait = RETRY_AFTER_SECONDS[Math.min(attempt, RETRY_AFTER_SECONDS.length) - 1] ?? 0;
    this.store.deliveries.set(id, { ...delivery, attempt, next_at: Date.now() + wait * 1000 });
  }

  private async post({ event, via, account }: StoredEvent): Promise<number> {
    if (!this.endpoint.url) return 0;
    const body = JSON.stringify(event, null, 2);
    let status = 0;
    try {
      const response = await fetch(this.endpoint.url, {
        method: 'POST',
        body,
        redirect: 'manual',
        headers: {
          ...this.endpoint.headers,
          'content-type': 'application/json; charset=utf-8',
          'stripe-signature': sign(body, this.endpoint.secrets[via]),
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

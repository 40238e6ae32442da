import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { execute } from './query.js';
import type { Tx } from './transaction.js';

const CONNECT_WITHIN_MS = 5_000;
/** After a connection is lost, the next one is opened at the earliest after this pause. */
const PAUSE_MS = 5_000;

/**
 * Announces that a booking is published, to processes that wait for it. Nothing depends on it, so it never
 * fails.
 */
export const announcePublication = (tx: Tx, bookingId: string): Promise<void> =>
  execute(tx, `SELECT pg_notify('booking_published', $1)`, [bookingId]).catch(() => undefined);

/**
 * Listens for published bookings, so that a client does not have to wait until Temporal has stored the task
 * that published it (docs/internals/costs.md#how-the-cost-is-kept-low).
 */
export interface Publications {
  /** Returns the result of `work`, or null if the booking is announced as published first. */
  unlessPublished<T>(bookingId: string, work: () => Promise<T>): Promise<T | null>;
  /** Stops listening. The connection ends by itself, with the process at the latest. */
  close(): void;
}

/**
 * Listens on a separate connection from the first call on. If there is none, for example behind a transaction
 * pooler, `work` is awaited.
 */
export function createPublications(url: string, log: Logger, { pauseMs = PAUSE_MS } = {}): Publications {
  const heard = new EventEmitter().setMaxListeners(0);
  let listener: pg.Client | null = null;
  let notBefore = 0;
  let isWarned = false;

  function listen(): void {
    if (listener || Date.now() < notBefore) return;
    const client = new pg.Client({
      connectionString: url,
      keepAlive: true,
      // It only reads, so it would take two hours to notice that the peer has vanished.
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
    });
    listener = client;
    const lose = (error?: unknown): void => {
      if (listener !== client) return;
      listener = null;
      notBefore = Date.now() + pauseMs;
      if (!isWarned) log.warn({ err: error }, 'cannot listen for published bookings, will reconnect');
      isWarned = true;
      void client.end().catch(() => undefined);
    };
    client.on('error', lose);
    client.on('end', lose);
    client.on('notification', ({ payload }) => {
      if (payload && heard.listenerCount(payload) > 0) heard.emit(payload);
    });
    client
      .connect()
      .then(() => client.query(`LISTEN booking_published`))
      .then(() => {
        isWarned = false;
      })
      .catch(lose);
  }

  return {
    async unlessPublished(bookingId, work) {
      listen();
      let published = (): void => undefined;
      const hears = new Promise<null>((resolve) => {
        published = () => resolve(null);
      });
      heard.on(bookingId, published);
      try {
        return await Promise.race([work(), hears]);
      } finally {
        heard.off(bookingId, published);
      }
    },
    close() {
      const client = listener;
      listener = null;
      notBefore = Infinity;
      void client?.end().catch(() => undefined);
    },
  };
}

import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { execute } from './query.js';
import type { Tx } from './transaction.js';

const CONNECT_WITHIN_MS = 5_000;
/** After a connection is lost, the next one is opened this much later at the earliest. */
const PAUSE_MS = 5_000;

/** Says that a booking is published, to those who wait for it. Nobody depends on it, so it never fails. */
export const announcePublication = (tx: Tx, bookingId: string): Promise<void> =>
  execute(tx, `SELECT pg_notify('booking_published', $1)`, [bookingId]).catch(() => undefined);

/**
 * Hears of bookings that are published, so that a client need not wait until Temporal has stored the task
 * that did it (docs/internals/costs.md#how-the-cost-is-kept-low).
 */
export interface Publications {
  /** The result of `work`; null if this process hears before that the booking is published. */
  unlessPublished<T>(bookingId: string, work: () => Promise<T>): Promise<T | null>;
  /** Hears no more. The connection ends by itself, with the process at the latest. */
  close(): void;
}

/**
 * Listens with a connection of its own from the first call on. Without it, as behind a pooler of
 * transactions, `work` is waited for.
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
      // It only reads: of a peer that has vanished it would hear after two hours.
      keepAliveInitialDelayMillis: 10_000,
      connectionTimeoutMillis: CONNECT_WITHIN_MS,
    });
    listener = client;
    const lose = (error?: unknown): void => {
      if (listener !== client) return;
      listener = null;
      notBefore = Date.now() + pauseMs;
      if (!isWarned) log.warn({ err: error }, 'publications are not heard of, will connect again');
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

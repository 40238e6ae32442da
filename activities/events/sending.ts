import type { AttemptRecord } from '../../commands/events/webhook-attempts.js';
import type { UnstoredAttempts } from '../../commands/events/webhook-turns.js';
import type { QueuedEvent } from '../../db/queries/events/webhook-queue.js';

/** How many events are sent to one receiver concurrently. */
const CONCURRENCY = 16;
/**
 * Results are stored in batches of this size, and at least this often. After a crash, events whose results
 * were not stored are sent again.
 */
const STORED_BATCH = 500;
const STORED_AFTER_MS = 250;

/** Stores results in order while sending continues. After an error, nothing more is stored. */
export class Recorder {
  private results: AttemptRecord[] = [];
  private lastPosition: number | null = null;
  private storing: Promise<void> = Promise.resolve();
  private readonly timer = setInterval(() => this.flush(), STORED_AFTER_MS);
  /** True when sending must stop: the endpoint has changed, or results cannot be stored. */
  stopped = false;

  /** `store` returns false when sending must stop. */
  constructor(private readonly store: (unstored: UnstoredAttempts) => Promise<boolean>) {}

  add(result: AttemptRecord): void {
    this.results.push(result);
    if (this.results.length >= STORED_BATCH) this.flush();
  }

  /**
   * Stores all results so far, and that the events up to a position were sent. For the last page, this is
   * left to `end`.
   */
  sentUpTo(position: number, isLast: boolean): void {
    if (isLast) this.lastPosition = position;
    else this.queue(position);
  }

  /** Waits until all results so far are stored. Throws if a result could not be stored. */
  async stored(): Promise<void> {
    this.flush();
    await this.storing;
  }

  /**
   * Stops the timer and waits until everything that was started is stored. Returns what is left to store, or
   * null. Throws if a result could not be stored.
   */
  async end(): Promise<UnstoredAttempts | null> {
    clearInterval(this.timer);
    await this.storing;
    const { results: attempts, lastPosition: upTo } = this;
    return attempts.length > 0 || upTo !== null ? { attempts, upTo } : null;
  }

  private flush(): void {
    if (this.results.length > 0) this.queue(null);
  }

  private queue(upTo: number | null): void {
    const batch = this.results;
    this.results = [];
    this.storing = this.storing.then(async () => {
      if (!(await this.store({ attempts: batch, upTo }))) this.stopped = true;
    });
    this.storing.catch(() => {
      this.stopped = true;
    });
  }
}

/**
 * Sends events: those of one object in order, up to the first for which `send` returns false, and several
 * objects concurrently. Stops early when `mayContinue` returns false.
 */
export async function sendInOrder(
  events: QueuedEvent[],
  mayContinue: () => boolean,
  send: (event: QueuedEvent) => Promise<boolean>,
): Promise<void> {
  const lanes = groupByObject(events).values();
  async function work(): Promise<void> {
    for (const lane of lanes) {
      for (const event of lane) {
        if (!mayContinue()) return;
        if (!(await send(event))) break;
      }
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** Groups events by object, in order. */
function groupByObject(events: QueuedEvent[]): Map<string, QueuedEvent[]> {
  const lanes = new Map<string, QueuedEvent[]>();
  for (const event of events) {
    const lane = lanes.get(event.object_id);
    if (lane) lane.push(event);
    else lanes.set(event.object_id, [event]);
  }
  return lanes;
}

import type { AttemptRecord } from '../db/repositories/events/webhook-attempts.js';
import type { QueuedEvent } from '../db/repositories/events/webhook-queue-queries.js';

/** Events of one receiver under way at once. */
const IN_FLIGHT = 16;
/** Results are stored when there are so many, and at the latest after so long: what a crash forgets is sent again. */
const STORED_AT_ONCE = 500;
const STORED_AFTER_MS = 250;

/** Stores results in the order they came, beside the sending. Once something can't be stored, nothing more is. */
export class Recorder {
  private results: AttemptRecord[] = [];
  private storing: Promise<void> = Promise.resolve();
  private readonly timer = setInterval(() => this.flush(), STORED_AFTER_MS);
  /** Nothing more must be sent: what was planned is over, or can't be stored. */
  stopped = false;

  /** `store` returns false when nothing more must be sent. */
  constructor(private readonly store: (attempts: AttemptRecord[]) => Promise<boolean>) {}

  add(result: AttemptRecord): void {
    this.results.push(result);
    if (this.results.length >= STORED_AT_ONCE) this.flush();
  }

  /** Does something once all results so far are stored. False from it stops the sending, too. */
  after(work: () => Promise<boolean>): void {
    this.flush();
    this.queue(work);
  }

  /** Waits until all results so far are stored. Fails if something could not be. */
  async stored(): Promise<void> {
    this.flush();
    await this.storing;
  }

  /** The same, at the end. */
  async end(): Promise<void> {
    clearInterval(this.timer);
    await this.stored();
  }

  private flush(): void {
    const some = this.results;
    if (some.length === 0) return;
    this.results = [];
    this.queue(() => this.store(some));
  }

  private queue(work: () => Promise<boolean>): void {
    this.storing = this.storing.then(async () => {
      if (!(await work())) this.stopped = true;
    });
    this.storing.catch(() => {
      this.stopped = true;
    });
  }
}

/**
 * Sends events: those of one object one after the other, up to the first that `send` returns false for, and many
 * objects side by side. Ends early when `goOn` says so.
 */
export async function sendInOrder(
  events: QueuedEvent[],
  goOn: () => boolean,
  send: (event: QueuedEvent) => Promise<boolean>,
): Promise<void> {
  const lanes = lanesOf(events).values();
  async function work(): Promise<void> {
    for (const lane of lanes) {
      for (const event of lane) {
        if (!goOn()) return;
        if (!(await send(event))) break;
      }
    }
  }
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

/** The events of each object, in order; objects in the order of their first. */
function lanesOf(events: QueuedEvent[]): Map<string, QueuedEvent[]> {
  const lanes = new Map<string, QueuedEvent[]>();
  for (const event of events) {
    const lane = lanes.get(event.object_id);
    if (lane) lane.push(event);
    else lanes.set(event.object_id, [event]);
  }
  return lanes;
}

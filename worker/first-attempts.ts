import type { Backoff } from './backoff.js';
import { KeyedQueue } from './keyed-queue.js';

/** The maximum number of queues for which one poll finds new rows. */
const LIMIT = 8;
/** The maximum number of queues whose last turn is remembered. */
const MAX_TURNS = 1_000;

/**
 * Rows of an outbox that workers process without a run, by queue. The rows of one queue do not wait for
 * others.
 */
export interface NewRows {
  /** Returns queues with new rows that are due. `turns`: queues by their last turn, the longest ago first. */
  findQueues(page: { except: string[]; turns: string[]; limit: number }): Promise<string[]>;
  /** Processes new rows of a queue for a few seconds. Rows that fail are left to a run. */
  process(queue: string): Promise<void>;
}

/**
 * Makes the first attempts for an outbox without runs, a few queues at a time
 * (docs/internals/architecture.md#the-outbox).
 */
export class FirstAttempts {
  private readonly places: KeyedQueue;
  /** Queues in the order of their last turn: a set keeps the order in which its values are added. */
  private readonly turns = new Set<string>();

  constructor(
    private readonly rows: NewRows,
    backoff: Backoff,
    /** Aborts when nothing more may be started. */
    private readonly signal: AbortSignal,
  ) {
    this.places = new KeyedQueue(backoff);
  }

  /** Starts the queues that are due. Throws if they cannot be read. */
  async beginDue(): Promise<void> {
    const page = { except: this.places.taken, turns: [...this.turns], limit: LIMIT };
    for (const queue of await this.rows.findQueues(page)) {
      if (this.signal.aborted) return;
      this.takesTurn(queue);
      await this.places.begin(queue, () => this.rows.process(queue));
    }
  }

  private takesTurn(queue: string): void {
    this.turns.delete(queue);
    this.turns.add(queue);
    if (this.turns.size > MAX_TURNS) this.turns.delete(this.turns.values().next().value!);
  }

  /** Resolves when no queue is being processed. */
  settled(): Promise<void> {
    return this.places.settled();
  }
}

import type { Backoff } from './backoff.js';
import { KeyedQueue } from './keyed-queue.js';

/** Queues of which a look finds new rows at most. */
const LIMIT = 8;
/** So many queues are remembered with their last turn. */
const MAX_TURNS = 1_000;

/** Rows of an outbox that workers process without a run, by queue: what one queue has waits for no other. */
export interface NewRows {
  /** Queues with new rows that are due. `turns`: queues by their last turn, the one longest ago first. */
  findQueues(page: { except: string[]; turns: string[]; limit: number }): Promise<string[]>;
  /** Processes new rows of a queue for a few seconds. What fails is left to a run. */
  process(queue: string): Promise<void>;
}

/**
 * Makes the first attempts of an outbox without runs, a few queues together
 * (docs/internals/architecture.md#the-outbox).
 */
export class FirstAttempts {
  private readonly places: KeyedQueue;
  /** Queues in the order of their last turn: a set keeps the order in which its values are added. */
  private readonly turns = new Set<string>();

  constructor(
    private readonly rows: NewRows,
    backoff: Backoff,
    /** Aborts when nothing more is to be begun. */
    private readonly signal: AbortSignal,
  ) {
    this.places = new KeyedQueue(backoff);
  }

  /** Begins with the queues that are due. Throws if they cannot be read. */
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

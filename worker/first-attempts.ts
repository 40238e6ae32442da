import type { Backoff } from './backoff.js';
import { Places } from './places.js';

/** Queues of which a look finds new rows at most. */
const LIMIT = 8;

/** Rows of an outbox that workers process without a run, by queue: what one queue has waits for no other. */
export interface NewRows {
  /** Queues with new rows that are due. */
  findQueues(page: { except: string[]; limit: number }): Promise<string[]>;
  /** Processes new rows of a queue for a few seconds. What fails is left to a run. */
  process(queue: string): Promise<void>;
}

/** Makes the first attempts of an outbox without runs, a few queues together (docs/architecture.md#the-outbox). */
export class FirstAttempts {
  private readonly places: Places;

  constructor(
    private readonly rows: NewRows,
    backoff: Backoff,
    /** Aborts when nothing more is to be begun. */
    private readonly signal: AbortSignal,
  ) {
    this.places = new Places(backoff);
  }

  /** Begins with the queues that are due. Throws if they cannot be read. */
  async beginDue(): Promise<void> {
    for (const queue of await this.rows.findQueues({ except: this.places.taken, limit: LIMIT })) {
      if (this.signal.aborted) return;
      await this.places.begin(queue, () => this.rows.process(queue));
    }
  }

  /** Resolves when no queue is being processed. */
  settled(): Promise<void> {
    return this.places.settled();
  }
}

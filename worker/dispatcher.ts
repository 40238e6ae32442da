import type { Client } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { transaction } from '../db/transaction.js';
import { starts } from '../contract/starts.js';
import type { Backoff } from './backoff.js';
import type { Outbox } from './outboxes.js';
import { KeyedQueue } from './keyed-queue.js';

/** The time limit of a call to Temporal. Otherwise the client would repeat a refused call for a minute. */
const CALL_MS = 5_000;

export interface DispatcherDependencies {
  db: DataSource;
  client: Pick<Client, 'workflow' | 'withDeadline'>;
  taskQueue: string;
}

/** Dispatches the rows of one outbox to their workflows, by start or signal, a few at a time. */
export class Dispatcher {
  private readonly places: KeyedQueue;
  private readonly startOptions: ReturnType<typeof starts>;
  /** Pages of claimed rows that wait for free places. */
  private readonly beginning = new Set<Promise<void>>();

  constructor(
    private readonly deps: DispatcherDependencies,
    private readonly outbox: Outbox<unknown>,
    private readonly backoff: Backoff,
  ) {
    this.places = new KeyedQueue(backoff);
    this.startOptions = starts(deps.taskQueue);
  }

  /**
   * Begins to dispatch all rows that are due. Throws if they cannot be read. Rows that need no run are
   * processed at once and do not wait for the runs of other rows, which are claimed and get places in the
   * meantime. If processing fails, the rows are left to runs, which show the failure.
   */
  async dispatchDue(): Promise<void> {
    const found = await this.outbox.find(this.deps.db.manager);
    const claimed = await this.process(found);
    if (!claimed) return this.begin(found);
    const beginning = this.begin(claimed, Date.now() + CALL_MS).finally(() =>
      this.beginning.delete(beginning),
    );
    this.beginning.add(beginning);
  }

  /**
   * Processes rows that need no run. Returns the others; null if the outbox has no such rows, or processing
   * fails.
   */
  private async process(found: unknown[]): Promise<unknown[] | null> {
    const { process } = this.outbox;
    if (!process || found.length === 0) return null;
    let left: unknown[] | null = null;
    await this.backoff.attempt('page', async () => {
      left = await transaction(this.deps.db, (tx) => process(tx, found));
    });
    return left;
  }

  /**
   * Begins to dispatch rows as places become free. Rows that get no place by a time are left and found again.
   */
  private async begin(rows: unknown[], by = Infinity): Promise<void> {
    for (const row of rows) {
      if (Date.now() > by) return;
      const { workflowId } = this.outbox.target(this.startOptions, row).start;
      await this.places.begin(workflowId, () => this.dispatch(row));
    }
  }

  /** Resolves when no row is being dispatched. */
  async settled(): Promise<void> {
    await Promise.all(this.beginning);
    await this.places.settled();
  }

  private async dispatch(row: unknown): Promise<void> {
    const { client, db } = this.deps;
    const { type, start, signal } = this.outbox.target(this.startOptions, row);
    await client.withDeadline(Date.now() + CALL_MS, () =>
      client.workflow.signalWithStart(type, { ...start, signal, signalArgs: [] }),
    );
    await this.outbox.markNotified(db.manager, row);
  }
}

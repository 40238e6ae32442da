import type { Client } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { starts } from '../contract/starts.js';
import type { Backoff } from './backoff.js';
import type { Outbox } from './outboxes.js';

/** Rows of one outbox that are dispatched concurrently. */
const CONCURRENCY = 8;
/** A call to Temporal ends after this long: the client would repeat a refused one for a minute. */
const CALL_MS = 5_000;

export interface DispatcherDependencies {
  db: DataSource;
  client: Pick<Client, 'workflow' | 'withDeadline'>;
  taskQueue: string;
}

/**
 * Dispatches the rows of one outbox to their workflows, by start or signal. A row that fails is tried again after a
 * pause, and one that takes long keeps a single place: neither holds up the rows of others.
 */
export class Dispatcher {
  private readonly running = new Map<string, Promise<void>>();
  private readonly startOf: ReturnType<typeof starts>;

  constructor(
    private readonly deps: DispatcherDependencies,
    private readonly outbox: Outbox<unknown>,
    private readonly backoff: Backoff,
  ) {
    this.startOf = starts(deps.taskQueue);
  }

  /** Begins to dispatch all rows that are due. Throws if they cannot be read. */
  async dispatchDue(): Promise<void> {
    for (const row of await this.outbox.find(this.deps.db.manager)) {
      const { workflowId } = this.outbox.target(this.startOf, row).start;
      if (this.running.has(workflowId) || this.backoff.isPaused(workflowId)) continue;
      while (this.running.size >= CONCURRENCY) await Promise.race(this.running.values());
      const done = this.backoff
        .attempt(workflowId, () => this.dispatch(row))
        .then(() => void this.running.delete(workflowId));
      this.running.set(workflowId, done);
    }
  }

  /** Resolves when no row is being dispatched. */
  async settled(): Promise<void> {
    await Promise.all(this.running.values());
  }

  private async dispatch(row: unknown): Promise<void> {
    const { client, db } = this.deps;
    const { type, start, signal } = this.outbox.target(this.startOf, row);
    await client.withDeadline(Date.now() + CALL_MS, () =>
      client.workflow.signalWithStart(type, { ...start, signal, signalArgs: [] }),
    );
    await this.outbox.markNotified(db.manager, row);
  }
}

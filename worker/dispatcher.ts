import type { Client } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { transaction } from '../db/transaction.js';
import { starts } from '../contract/starts.js';
import type { Backoff } from './backoff.js';
import type { Outbox } from './outboxes.js';
import { Places } from './places.js';

/** A call to Temporal ends after this long: the client would repeat a refused one for a minute. */
const CALL_MS = 5_000;

export interface DispatcherDependencies {
  db: DataSource;
  client: Pick<Client, 'workflow' | 'withDeadline'>;
  taskQueue: string;
}

/** Dispatches the rows of one outbox to their workflows, by start or signal, a few together. */
export class Dispatcher {
  private readonly places: Places;
  private readonly startOf: ReturnType<typeof starts>;

  constructor(
    private readonly deps: DispatcherDependencies,
    private readonly outbox: Outbox<unknown>,
    private readonly backoff: Backoff,
  ) {
    this.places = new Places(backoff);
    this.startOf = starts(deps.taskQueue);
  }

  /** Begins to dispatch all rows that are due. Throws if they cannot be read. */
  async dispatchDue(): Promise<void> {
    const found = await this.outbox.find(this.deps.db.manager);
    for (const row of await this.forRuns(found)) {
      const { workflowId } = this.outbox.target(this.startOf, row).start;
      await this.places.begin(workflowId, () => this.dispatch(row));
    }
  }

  /** Processes rows that need no run, and returns the others. Where that fails, runs do it: they show what fails. */
  private async forRuns(found: unknown[]): Promise<unknown[]> {
    const { process } = this.outbox;
    if (!process || found.length === 0) return found;
    let left = found;
    await this.backoff.attempt('page', async () => {
      left = await transaction(this.deps.db, (tx) => process(tx, found));
    });
    return left;
  }

  /** Resolves when no row is being dispatched. */
  settled(): Promise<void> {
    return this.places.settled();
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

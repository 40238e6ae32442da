import { Journal, type Write } from './journal.js';
import { Table } from './table.js';

/** Log entries that survive a restart. */
const LOG_ENTRIES_KEPT = 100_000;

interface Kept {
  table: Table<unknown>;
  isStale: (value: unknown) => boolean;
  /** How many of the newest records are kept. */
  most: number;
}

/** A simulator's state: in memory, and in a journal from which the next process restores it. */
export abstract class JournaledStore {
  private journal!: Journal;
  private sequence = 0;
  private readonly tables = new Map<string, Kept>();

  /** Runs synchronous work. All its changes are written to disk together or not at all. */
  transaction<T>(work: () => T): T {
    return this.journal.transaction(work);
  }

  /** A transaction that also reverts its changes if `work` throws. */
  attempt<T>(work: () => T): T {
    return this.journal.attempt(work, (table, id, before) => this.restore(table, id, before));
  }

  /** Appends an entry to a log table. */
  log<T>(table: Table<T>, entry: T): void {
    this.sequence += 1;
    table.set(`${Date.now()}-${this.sequence}`, entry);
  }

  /** Closes the journal. */
  close(): void {
    this.journal.close();
  }

  /** Restores the state that an earlier process wrote to `folder`. */
  protected async load(folder: string): Promise<void> {
    this.journal = await Journal.open(
      folder,
      (table, id, value) => this.restore(table, id, value),
      () => this.worthKeeping(),
    );
  }

  /** Adds a table. Stale records are dropped at a restart. */
  protected table<T>(name: string, isStale: (value: T) => boolean = () => false): Table<T> {
    return this.register(new Table<T>(name, () => this.journal), isStale, Infinity);
  }

  /** Adds an append-only table. Only its newest records survive a restart. */
  protected logTable<T>(name: string): Table<T> {
    return this.register(new Table<T>(name, () => this.journal), () => false, LOG_ENTRIES_KEPT);
  }

  private register<T>(table: Table<T>, isStale: (value: T) => boolean, most: number): Table<T> {
    this.tables.set(table.name, { table, isStale, most } as unknown as Kept);
    return table;
  }

  private restore(table: string, id: string, value: unknown): void {
    this.tables.get(table)?.table.restore(id, value);
  }

  private *worthKeeping(): Generator<Write> {
    for (const { table, isStale, most } of this.tables.values()) {
      let surplus = table.size - most;
      for (const [id, value] of table.entries()) {
        if (surplus > 0 || isStale(value)) table.restore(id, null);
        else yield [table.name, id, value];
        surplus -= 1;
      }
    }
  }
}

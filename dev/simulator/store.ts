import { Journal, type Write } from './journal.js';
import { Table } from './table.js';

/** How much of a log is carried over a restart. */
const LOG_ENTRIES_KEPT = 100_000;

interface Kept {
  table: Table<unknown>;
  isStale: (value: unknown) => boolean;
  /** Only so many of the newest are kept. */
  most: number;
}

/** What a simulator knows: in memory, and in a journal from which the next process reads it again. */
export abstract class JournaledStore {
  private journal!: Journal;
  private sequence = 0;
  private readonly tables = new Map<string, Kept>();

  /** Runs a synchronous piece of work whose changes reach the disk together or not at all. */
  transaction<T>(work: () => T): T {
    return this.journal.transaction(work);
  }

  /** A transaction that also takes its changes back when `work` throws. */
  attempt<T>(work: () => T): T {
    return this.journal.attempt(work, (table, id, before) => this.restore(table, id, before));
  }

  /** Adds a line to one of the logs. */
  log<T>(table: Table<T>, entry: T): void {
    this.sequence += 1;
    table.set(`${Date.now()}-${this.sequence}`, entry);
  }

  /** Closes the journal. */
  close(): void {
    this.journal.close();
  }

  /** Reads what an earlier process left in `folder`. */
  protected async load(folder: string): Promise<void> {
    this.journal = await Journal.open(
      folder,
      (table, id, value) => this.restore(table, id, value),
      () => this.worthKeeping(),
    );
  }

  /** A table; what `isStale` is not carried over a restart. */
  protected table<T>(name: string, isStale: (value: T) => boolean = () => false): Table<T> {
    return this.register(new Table<T>(name, () => this.journal), isStale, Infinity);
  }

  /** A table that only grows, of which the newest part is carried over a restart. */
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

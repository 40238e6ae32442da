import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Table, type Retention, type Write } from './table.js';

const LOG_ENTRIES_KEPT = 100_000;

/**
 * A simulator's state: in memory, and in an append-only file from which the next process restores it. Each
 * line of the file is a transaction and is written before the response is sent, so a killed process loses
 * nothing it has confirmed.
 */
export abstract class Store {
  private file!: number;
  private sequence = 0;
  private depth = 0;
  /** The changes of the current transaction, with the previous values. */
  private pending: { write: Write; before: unknown }[] = [];
  private readonly tables = new Map<string, Table<unknown>>();

  /** Runs synchronous work. All its changes are written to disk together or not at all, even if it throws. */
  transaction<T>(work: () => T): T {
    this.depth += 1;
    try {
      return work();
    } finally {
      this.depth -= 1;
      this.flush();
    }
  }

  /** A transaction that reverts its changes if `work` throws. */
  attempt<T>(work: () => T): T {
    return this.transaction(() => {
      const start = this.pending.length;
      try {
        return work();
      } catch (error) {
        for (const { write, before } of this.pending.splice(start).reverse())
          this.apply([write[0], write[1], before]);
        throw error;
      }
    });
  }

  /** Appends an entry to a log table. */
  log<T>(table: Table<T>, entry: T): void {
    this.sequence += 1;
    table.set(`${Date.now()}-${this.sequence}`, entry);
  }

  /** Restores what an earlier process wrote to `folder`, and compacts the file. */
  async load(folder: string | undefined): Promise<this> {
    if (!folder)
      throw new Error('Set PROCESSOR_DATA or ACCOUNTING_DATA to the folder for the simulator’s state.');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'journal.jsonl');
    if (existsSync(path)) await this.replay(path);
    this.file = openSync(`${path}.new`, 'w', 0o600);
    for (const table of this.tables.values())
      for (const write of table.compact()) appendFileSync(this.file, `${JSON.stringify([write])}\n`);
    renameSync(`${path}.new`, path);
    return this;
  }

  close(): void {
    closeSync(this.file);
  }

  protected table<T>(name: string, isStale?: (value: T) => boolean): Table<T> {
    return this.register(name, { isStale });
  }

  /** Adds an append-only table, whose newest entries survive a restart. */
  protected logTable<T>(name: string, max = LOG_ENTRIES_KEPT): Table<T> {
    return this.register(name, { max });
  }

  private register<T>(name: string, retention: Retention<T>): Table<T> {
    const table = new Table<T>(name, retention, (write, before) => {
      this.pending.push({ write, before });
      this.flush();
    });
    this.tables.set(name, table as Table<unknown>);
    return table;
  }

  private apply([table, id, value]: Write): void {
    this.tables.get(table)?.restore(id, value);
  }

  private flush(): void {
    if (this.depth > 0 || this.pending.length === 0) return;
    const line = `${JSON.stringify(this.pending.map(({ write }) => write))}\n`;
    this.pending = [];
    appendFileSync(this.file, line);
  }

  private async replay(path: string): Promise<void> {
    let torn = false;
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
      // Only a killed process leaves an incomplete line, always the last one, and its
      // response was never sent.
      if (torn) throw new Error(`The journal ${path} is damaged. Delete it to start with empty data.`);
      try {
        for (const write of JSON.parse(line) as Write[]) this.apply(write);
      } catch {
        torn = true;
      }
    }
  }
}

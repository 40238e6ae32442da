import type { Journal } from './journal.js';

/** Records of one kind by id, in the order of their creation; every change goes through the journal. */
export class Table<T> {
  private readonly records = new Map<string, T>();
  private watcher?: (id: string, value: T) => void;

  constructor(
    readonly name: string,
    private readonly journal: () => Journal,
  ) {}

  get size(): number {
    return this.records.size;
  }

  get(id: string): T | undefined {
    return this.records.get(id);
  }

  set(id: string, value: T): void {
    const before = this.records.get(id) ?? null;
    this.records.set(id, value);
    this.journal().record([this.name, id, value], before);
    this.watcher?.(id, value);
  }

  /** Tells of every record that is written from now on. */
  watch(watcher: (id: string, value: T) => void): void {
    this.watcher = watcher;
  }

  delete(id: string): void {
    const before = this.records.get(id);
    if (this.records.delete(id)) this.journal().record([this.name, id, null], before);
  }

  /** All records, oldest first. */
  values(): IterableIterator<T> {
    return this.records.values();
  }

  /** All records, newest first. */
  newestFirst(): T[] {
    return [...this.records.values()].reverse();
  }

  /** All ids with their records. */
  entries(): IterableIterator<[string, T]> {
    return this.records.entries();
  }

  /** Takes a record from the journal, without writing it there again. */
  restore(id: string, value: T | null): void {
    if (value === null) this.records.delete(id);
    else this.records.set(id, value);
  }
}

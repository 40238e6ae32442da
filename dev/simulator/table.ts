import type { Journal } from './journal.js';

/** Maps keys other than the id to record ids. */
interface Index<T> {
  keysOf(value: T): string[];
  ids: Map<string, Set<string>>;
}

/** Records of one kind by id, in creation order. Every change is written to the journal. */
export class Table<T> {
  private readonly records = new Map<string, T>();
  private readonly indexes: Index<T>[] = [];
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
    this.put(id, value);
    this.journal().record([this.name, id, value], before);
    this.watcher?.(id, value);
  }

  /** Calls `watcher` for every record that is written from now on. */
  watch(watcher: (id: string, value: T) => void): void {
    this.watcher = watcher;
  }

  /** Adds an index. Returns a function that finds records by its keys. */
  index(keysOf: (value: T) => string[]): (key: string) => T[] {
    const ids: Index<T>['ids'] = new Map();
    this.indexes.push({ keysOf, ids });
    return (key) => [...(ids.get(key) ?? [])].map((id) => this.records.get(id)!);
  }

  delete(id: string): void {
    const before = this.records.get(id);
    if (before === undefined) return;
    this.put(id, null);
    this.journal().record([this.name, id, null], before);
  }

  /** All records, oldest first. */
  values(): IterableIterator<T> {
    return this.records.values();
  }

  /** All records, newest first. */
  newestFirst(): T[] {
    return [...this.records.values()].reverse();
  }

  /** All ids. */
  keys(): IterableIterator<string> {
    return this.records.keys();
  }

  /** All ids with their records. */
  entries(): IterableIterator<[string, T]> {
    return this.records.entries();
  }

  /** Sets a record without writing to the journal. */
  restore(id: string, value: T | null): void {
    this.put(id, value);
  }

  private put(id: string, value: T | null): void {
    const before = this.records.get(id);
    if (value === null) this.records.delete(id);
    else this.records.set(id, value);
    for (const { keysOf, ids } of this.indexes) {
      for (const key of before === undefined ? [] : keysOf(before)) ids.get(key)?.delete(id);
      for (const key of value === null ? [] : keysOf(value))
        ids.set(key, (ids.get(key) ?? new Set()).add(id));
    }
  }
}

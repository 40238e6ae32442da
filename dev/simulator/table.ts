/** A change of one record; the value `null` removes it. */
export type Write = [table: string, id: string, value: unknown];

/** What to keep of a table on a restart. */
export interface Retention<T> {
  isStale?: (value: T) => boolean;
  /** Number of the newest records to keep. */
  max?: number;
}

/** Maps keys other than the id to record ids. */
interface Index<T> {
  toKeys(value: T): string[];
  ids: Map<string, Set<string>>;
}

/** Records of one kind by id, in creation order. */
export class Table<T> {
  private readonly records = new Map<string, T>();
  private readonly indexes: Index<T>[] = [];
  private watcher?: (id: string, value: T) => void;

  /** `record` gets every change, with the previous value. */
  constructor(
    readonly name: string,
    private readonly retention: Retention<T>,
    private readonly record: (write: Write, before: unknown) => void,
  ) {}

  get size(): number {
    return this.records.size;
  }

  get(id: string): T | undefined {
    return this.records.get(id);
  }

  set(id: string, value: T): void {
    const before = this.records.get(id) ?? null;
    this.restore(id, value);
    this.record([this.name, id, value], before);
    this.watcher?.(id, value);
  }

  delete(id: string): void {
    const before = this.records.get(id);
    if (before === undefined) return;
    this.restore(id, null);
    this.record([this.name, id, null], before);
  }

  /** Calls `watcher` for every record written from now on. */
  watch(watcher: (id: string, value: T) => void): void {
    this.watcher = watcher;
  }

  /** Adds an index. Returns a function that finds records by its keys. */
  index(toKeys: (value: T) => string[]): (key: string) => T[] {
    const ids: Index<T>['ids'] = new Map();
    this.indexes.push({ toKeys, ids });
    return (key) => [...(ids.get(key) ?? [])].map((id) => this.records.get(id)!);
  }

  /** All records, oldest first. */
  values(): IterableIterator<T> {
    return this.records.values();
  }

  /** All records, newest first. */
  newestFirst(): T[] {
    return [...this.records.values()].reverse();
  }

  keys(): IterableIterator<string> {
    return this.records.keys();
  }

  entries(): IterableIterator<[string, T]> {
    return this.records.entries();
  }

  /** Drops records not worth keeping, and yields the rest. */
  *compact(): Generator<Write> {
    const { isStale, max = Infinity } = this.retention;
    let surplus = this.size - max;
    for (const [id, value] of this.records) {
      if (surplus > 0 || isStale?.(value)) this.restore(id, null);
      else yield [this.name, id, value];
      surplus -= 1;
    }
  }

  /** Sets or, with `null`, removes a record without notifying anyone. */
  restore(id: string, value: T | null): void {
    const before = this.records.get(id);
    if (value === null) this.records.delete(id);
    else this.records.set(id, value);
    for (const { toKeys, ids } of this.indexes) {
      for (const key of before === undefined ? [] : toKeys(before)) ids.get(key)?.delete(id);
      for (const key of value === null ? [] : toKeys(value))
        ids.set(key, (ids.get(key) ?? new Set()).add(id));
    }
  }
}

import type { DataSource } from 'typeorm';
import { MINUTE_MS } from '../../domain/durations.js';
import type { Texts } from '../../db/query.js';

/** The maximum size of all entries. */
const MAX_BYTES = 8 * 1024 * 1024;

interface Entry {
  key: string;
  facts: Texts;
  json: Buffer;
}

/** V8's overhead for a string. */
const TEXT_BYTES = 24;

/** A short JSON text is a slice of a pooled Node buffer and keeps the whole buffer in memory. */
const entrySize = ({ key, facts, json }: Entry): number =>
  [key, ...facts].reduce((size, text) => size + TEXT_BYTES + (text?.length ?? 0), json.buffer.byteLength);

const areSame = (one: Texts, other: Texts): boolean =>
  one.length === other.length && one.every((text, n) => text === other[n]);

/**
 * A cache of the JSON that was written in the current minute. Many callers request the same month of the same
 * rooms, or the same page repeatedly: a response that follows from the same facts in the same minute is not
 * computed again. Bookings start and end on whole minutes, so within a minute only facts change what is free.
 */
export class ResponseCache {
  private readonly written = new Map<string, Entry>();
  private minute = 0;
  private bytes = 0;

  /**
   * Returns the JSON that was written from the same facts, or the result of `write`. `key` identifies the
   * response, and contains everything that it depends on except facts and minute.
   */
  async of(key: string, facts: Texts, now: number, write: () => Buffer | Promise<Buffer>): Promise<Buffer> {
    const minute = Math.floor(now / MINUTE_MS);
    // The request began in the previous minute.
    if (minute < this.minute) return write();
    if (minute > this.minute) this.start(minute);
    const known = this.written.get(key);
    if (known && areSame(known.facts, facts)) return known.json;
    const json = await write();
    if (minute === this.minute) this.keep({ key, facts, json });
    return json;
  }

  private start(minute: number): void {
    this.minute = minute;
    this.written.clear();
    this.bytes = 0;
  }

  private keep(entry: Entry): void {
    const before = this.written.get(entry.key);
    const bytes = this.bytes + entrySize(entry) - (before ? entrySize(before) : 0);
    if (bytes > MAX_BYTES) return;
    this.bytes = bytes;
    this.written.set(entry.key, entry);
  }
}

const WRITTEN = new WeakMap<DataSource, ResponseCache>();

/** The cache of a database. */
export function getResponseCache(db: DataSource): ResponseCache {
  const written = WRITTEN.get(db) ?? new ResponseCache();
  WRITTEN.set(db, written);
  return written;
}

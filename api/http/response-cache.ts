import type { DataSource } from 'typeorm';
import { MINUTE_MS } from '../../domain/durations.js';
import type { Texts } from '../../db/query.js';

/** Of all that is kept. */
const MAX_BYTES = 8 * 1024 * 1024;

interface Entry {
  key: string;
  facts: Texts;
  json: Buffer;
}

/** What V8 needs for a text beside its characters. */
const TEXT_BYTES = 24;

/** A short JSON is a piece of a buffer of Node, which it keeps. */
const entrySize = ({ key, facts, json }: Entry): number =>
  [key, ...facts].reduce((size, text) => size + TEXT_BYTES + (text?.length ?? 0), json.buffer.byteLength);

const areSame = (one: Texts, other: Texts): boolean =>
  one.length === other.length && one.every((text, n) => text === other[n]);

/**
 * The JSON that was written in the current minute. Many callers ask for the same month of the same rooms, or
 * for the same page again and again: what follows from the same facts in the same minute is not computed and
 * written again. Bookings are on whole minutes, so within one only facts change what is free.
 */
export class ResponseCache {
  private readonly written = new Map<string, Entry>();
  private minute = 0;
  private bytes = 0;

  /**
   * The JSON as it was written from the same facts, or else as `write` returns it. `key`: what it depends on
   * beside facts and minute, and what tells it from other responses.
   */
  async of(key: string, facts: Texts, now: number, write: () => Buffer | Promise<Buffer>): Promise<Buffer> {
    const minute = Math.floor(now / MINUTE_MS);
    // A request that began in the minute before.
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

/** What was written from the facts of a database. */
export function getResponseCache(db: DataSource): ResponseCache {
  const written = WRITTEN.get(db) ?? new ResponseCache();
  WRITTEN.set(db, written);
  return written;
}

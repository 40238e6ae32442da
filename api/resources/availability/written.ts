import { MINUTE_MS } from '../../../domain/durations.js';
import type { RoomFacts } from '../../../db/queries/rooms/availability.js';

/** Of all that is kept. */
const MAX_BYTES = 8 * 1024 * 1024;

interface Entry {
  facts: string;
  json: Buffer;
}

const sizeOf = ({ facts, json }: Entry): number => facts.length + json.length;

/**
 * The availability that was written in the current minute. Many callers ask for the same month of the same rooms: what follows
 * from the same facts in the same minute is not computed and written again. Bookings are on whole minutes, so within one
 * only facts change what is free.
 */
export class WrittenAvailability {
  private readonly written = new Map<string, Entry>();
  private minute = 0;
  private bytes = 0;

  /** The JSON of a room as it was written from the same facts, or else as `write` returns it. `key`: the request's range and tier. */
  async of(
    { id, facts }: RoomFacts,
    key: string,
    now: number,
    write: () => Promise<Buffer>,
  ): Promise<Buffer> {
    const minute = Math.floor(now / MINUTE_MS);
    // A request that began in the minute before.
    if (minute < this.minute) return write();
    if (minute > this.minute) this.start(minute);
    const known = this.written.get(`${id} ${key}`);
    if (known?.facts === facts) return known.json;
    const json = await write();
    if (minute === this.minute) this.keep(`${id} ${key}`, { facts, json });
    return json;
  }

  private start(minute: number): void {
    this.minute = minute;
    this.written.clear();
    this.bytes = 0;
  }

  private keep(key: string, entry: Entry): void {
    const before = this.written.get(key);
    const bytes = this.bytes + sizeOf(entry) - (before ? sizeOf(before) : 0);
    if (bytes > MAX_BYTES) return;
    this.bytes = bytes;
    this.written.set(key, entry);
  }
}

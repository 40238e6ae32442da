import { MINUTE_MS } from '../../../domain/durations.js';
import type { RoomFacts } from '../../../db/queries/rooms/availability.js';

/** Of all that is kept. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The availability that was written in the current minute. Many callers ask for the same month of the same rooms: what follows
 * from the same facts in the same minute is not computed and written again. Bookings are on whole minutes, so within one only
 * facts change it.
 */
export class WrittenAvailability {
  private readonly written = new Map<string, { facts: string; json: Buffer }>();
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
    this.start(minute);
    const known = this.written.get(`${id} ${key}`);
    if (known?.facts === facts) return known.json;
    const json = await write();
    if (minute === this.minute) this.keep(`${id} ${key}`, { facts, json });
    return json;
  }

  private start(minute: number): void {
    if (minute === this.minute) return;
    this.minute = minute;
    this.written.clear();
    this.bytes = 0;
  }

  private keep(key: string, entry: { facts: string; json: Buffer }): void {
    const size = key.length + entry.facts.length + entry.json.length;
    if (this.bytes + size > MAX_BYTES) return;
    this.bytes += size;
    this.written.set(key, entry);
  }
}

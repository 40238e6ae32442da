import { pay } from '../support/bookings.js';
import { db } from '../support/stack.js';
import { Client } from './client.js';
import type { ChaosWorkspace } from './scene.js';

/** So far that no shifted clock reaches it, and so different that all fit into the past. */
const HOURS_BACK = { least: 24 * 100, most: 24 * 10_000 };

/** Moves a live booking and its claim into the past, as if its time had passed. */
function letTimePass(bookingId: string, hours: number): Promise<unknown> {
  const before = (at: string) => `${at} - make_interval(hours => $2)`;
  const range = (of: string) => `tstzrange(${before(`lower(${of})`)}, ${before(`upper(${of})`)})`;
  return db.query(
    `WITH moved AS (UPDATE slot_claims SET during = ${range('during')} WHERE booking_id = $1)
     UPDATE bookings SET start_at = ${before('start_at')}, end_at = ${before('end_at')},
       occupies = ${range('occupies')}
     WHERE id = $1`,
    [bookingId, hours],
  );
}

/** Guests who pay after the time that they booked. */
export class ChaosLatePayers extends Client {
  protected async act(): Promise<void> {
    const { random } = this;
    await this.requests.pause(random.between(500, 3_000));
    await this.#payLate(random.pick(this.workspaces));
  }

  async #payLate(workspace: ChaosWorkspace): Promise<void> {
    const booking = await this.bookFor(workspace, 'Late');
    if (!booking) return;
    try {
      await letTimePass(booking.id, this.random.between(HOURS_BACK.least, HOURS_BACK.most));
      this.journal.over.push(booking.id);
      await pay(booking);
      this.journal.payments++;
    } catch {
      // The hold has ended in the meantime, or Postgres is down.
    }
  }
}

import { randomUUID } from 'node:crypto';
import { pay } from '../support/bookings.js';
import { db } from '../support/stack.js';
import { Client } from './client.js';
import { MAIL_DOMAIN, NAME, type House } from './scene.js';

/** So far that no shifted clock reaches it, and so different that the past has room for all. */
const HOURS_BACK = { least: 24 * 100, most: 24 * 10_000 };

/** Moves a live booking and its claim into the past, as if its time had passed. */
function letTimePass(bookingId: string, hours: number): Promise<unknown> {
  const before = (at: string) => `${at} - make_interval(hours => $2)`;
  const range = (of: string) => `tstzrange(${before(`lower(${of})`)}, ${before(`upper(${of})`)})`;
  return db.query(
    `WITH moved AS (UPDATE slot_claims SET during = ${range('during')} WHERE booking_id = $1)
     UPDATE bookings SET start_at = ${before('start_at')}, end_at = ${before('end_at')}, occupies = ${range('occupies')}
     WHERE id = $1`,
    [bookingId, hours],
  );
}

/** Guests who pay when the time that they booked is over. */
export class ChaosLatecomers extends Client {
  protected async act(): Promise<void> {
    const { random } = this;
    await this.requests.pause(random.between(500, 3_000));
    await this.#payLate(random.pick(this.houses));
  }

  async #payLate(house: House): Promise<void> {
    const { random, requests } = this;
    const body = {
      room_id: random.pick(house.rooms),
      ...this.hours.slot(),
      booked_by: { guest: { email: `${randomUUID()}@${MAIL_DOMAIN}`, name: `${NAME} Late` } },
      idempotency_key: randomUUID(),
    };
    const created = await requests.insist('create', () => requests.api(house).post('/v1/bookings', body));
    if (created?.status !== 201) return;
    this.journal.bookings++;
    const booking = created.body;
    try {
      await letTimePass(booking.id, random.between(HOURS_BACK.least, HOURS_BACK.most));
      this.journal.over.push(booking.id);
      await pay(booking);
      this.journal.payments++;
    } catch {
      // The hold has ended meanwhile, or Postgres is down.
    }
  }
}

import { randomUUID } from 'node:crypto';
import { client } from '../support/api-client.js';
import { dev } from '../support/stack.js';
import { Client } from './client.js';
import { CARDS } from './invoice-payments.js';
import { MAIL_DOMAIN, NAME } from './scene.js';

/**
 * Strangers who hold rooms by the key of a web site as often as they can, each time with another mailbox, and
 * hardly ever pay. The other clients book meanwhile.
 */
export class ChaosStrangers extends Client {
  protected async act(): Promise<void> {
    const { random, requests } = this;
    const house = random.pick(this.houses);
    const site = client(house.site, random.pick(dev.baseUrls));
    const made = await requests.send('hold of a stranger', () =>
      site.post('/v1/public/bookings', {
        room_id: random.pick(house.rooms),
        ...this.hours.slot(),
        guest: { email: `${randomUUID()}@${MAIL_DOMAIN}`, name: `${NAME} Stranger` },
        idempotency_key: randomUUID(),
      }),
    );
    if (made?.status !== 201) return;
    this.journal.strangers++;
    const { checkout_url } = made.body;
    if (checkout_url && random.chance(0.1)) await this.payments.payAt(checkout_url, CARDS[0]!);
  }
}

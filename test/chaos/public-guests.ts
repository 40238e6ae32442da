import { randomUUID } from 'node:crypto';
import { client } from '../support/api-client.js';
import { dev } from '../support/stack.js';
import { Client } from './client.js';
import { CARDS } from './invoice-payments.js';
import { MAIL_DOMAIN, NAME } from './scene.js';

/**
 * Public guests who hold rooms with a website's key as often as they can, each time with another mailbox,
 * and hardly ever pay. Meanwhile the other clients book.
 */
export class ChaosPublicGuests extends Client {
  protected async act(): Promise<void> {
    const { random, requests } = this;
    const workspace = random.pick(this.workspaces);
    const site = client(workspace.site, random.pick(dev.baseUrls));
    const made = await requests.send('hold of a public guest', () =>
      site.post('/v1/public/bookings', {
        room_id: random.pick(workspace.rooms),
        ...this.hours.slot(),
        guest: { email: `${randomUUID()}@${MAIL_DOMAIN}`, name: `${NAME} Stranger` },
        idempotency_key: randomUUID(),
      }),
    );
    if (made?.status !== 201) return;
    this.journal.publicHolds++;
    const { checkout_url } = made.body;
    if (checkout_url && random.chance(0.1)) await this.payments.payAt(checkout_url, CARDS[0]!);
  }
}

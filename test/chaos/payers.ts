import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../domain/durations.js';
import { smallestUnit } from '../../domain/processor/amounts.js';
import { Client } from './client.js';
import { CARDS, payPage, sessionIn, type Sent } from './invoice-payments.js';
import type { ChaosWorkspace } from './scene.js';

/**
 * Companies that save cards and are charged, and pay invoices by link, while the office records payments and
 * voids the same invoices, with several of these at the same moment.
 */
export class ChaosPayers extends Client {
  readonly #invoices: Sent[] = [];

  protected async act(): Promise<void> {
    const { random } = this;
    const actions = [this.#setUpCard, this.#collect, this.#compete, this.#compete, this.#takeCardOffFile];
    await random.pick(actions).call(this, random.pick(this.workspaces));
  }

  /** Saves a card, or leaves the page, and then has due invoices charged to it. */
  async #setUpCard(workspace: ChaosWorkspace): Promise<void> {
    const { random, requests } = this;
    const path = random.pick(workspace.payers);
    const setup = await requests.insist('card setup', () =>
      requests.api(workspace).post(`${path}/card-setup`),
    );
    const session = setup?.status === 200 && sessionIn(setup.body.url as string);
    if (!session || random.chance(0.2)) return;
    const returnTo = await payPage(session, random.pick(CARDS));
    if (!returnTo) return;
    workspace.savedCards.push(session);
    if (random.chance(0.5)) await fetch(returnTo).catch(() => undefined);
    // Refused until the card is known.
    await requests.send('autopay', () => requests.api(workspace).patch(path, { autopay: true }));
  }

  /** Removes a card, occasionally while it is being charged. */
  async #takeCardOffFile(workspace: ChaosWorkspace): Promise<void> {
    const { random, requests } = this;
    if (random.chance(0.7)) return;
    const path = `${random.pick(workspace.payers)}/card`;
    await requests.send('card removal', () => requests.api(workspace).delete(path));
  }

  /** Sends an invoice that is due, and is charged to the card on file if there is one. */
  async #collect(workspace: ChaosWorkspace): Promise<void> {
    const invoice = await this.#invoice(workspace);
    if (invoice) this.#invoices.push(invoice);
  }

  async #invoice(workspace: ChaosWorkspace): Promise<Sent | null> {
    const { random, requests } = this;
    const key = { 'idempotency-key': randomUUID() };
    const unit_amount_minor = random.between(500, 9_000) * smallestUnit(workspace.currency);
    const body = {
      company_id: random.pick(workspace.companies),
      currency: workspace.currency,
      due_at: new Date(Date.now() + (random.chance(0.7) ? 0 : 30 * DAY_MS)).toISOString(),
      lines: [{ description: 'Desk', quantity: 1, unit_amount_minor, tax_code: 'ZERO' }],
    };
    const made = await requests.insist('invoice', () =>
      requests.api(workspace).post('/v1/invoices', body, key),
    );
    if (made?.status !== 201) return null;
    const { id, total_minor: total, pay_url: payUrl } = made.body;
    return { workspace, id, total, payUrl: payUrl! };
  }

  /** Pays an invoice in several ways at the same moment. */
  async #compete(workspace: ChaosWorkspace): Promise<void> {
    const { random } = this;
    const payments = this.payments;
    const known = random.chance(0.5) ? this.#invoices.at(-1) : undefined;
    const invoice = known ?? (await this.#invoice(workspace));
    if (!invoice) return;
    const { markPaid } = payments;
    const ways = [markPaid, markPaid, markPaid, payments.payByLink, payments.void];
    const chosen = Array.from({ length: random.between(2, 4) }, () => random.pick(ways));
    await Promise.all(chosen.map((way) => way.call(payments, invoice)));
  }
}

import { randomUUID } from 'node:crypto';
import { dev, simulator } from '../support/stack.js';
import type { Random } from './random.js';
import type { Journal, Requests } from './requests.js';
import type { House } from './scene.js';

/** Approved; declined later; authenticated by the payer only; decided by the bank later. */
const CARDS = ['4242424242424242', '4000000000000341', '4000002760003184', '4000003560000297'];
const DAY_MS = 86_400_000;

const sessionIn = (text: string): string | undefined => /cs_[A-Za-z0-9_]+/.exec(text)?.[0];

interface Sent {
  house: House;
  id: string;
  total: number;
  payUrl: string;
}

/**
 * Companies that put cards on file and are charged, and pay invoices by link, while the office records payments and voids
 * the same invoices: several of these at the same moment.
 */
export class ChaosPayers {
  readonly #invoices: Sent[] = [];

  constructor(
    private readonly houses: House[],
    private readonly random: Random,
    private readonly journal: Journal,
    private readonly requests: Requests,
    private readonly stopped: AbortSignal,
  ) {}

  async run(): Promise<void> {
    const { random } = this;
    const actions = [this.#setUpCard, this.#collect, this.#compete, this.#compete, this.#takeCardOffFile];
    while (!this.stopped.aborted) {
      await random.pick(actions).call(this, random.pick(this.houses));
      await this.requests.pause(random.between(20, 200));
    }
  }

  /** Puts a card on file, or leaves the page, and has due invoices charged to it. */
  async #setUpCard(house: House): Promise<void> {
    const { random, requests } = this;
    const path = `/v1/companies/${random.pick(house.companies)}`;
    const setup = await requests.insist('card setup', () => requests.api(house).post(`${path}/card-setup`));
    const session = setup?.status === 200 && sessionIn(setup.body.url);
    if (!session || random.chance(0.2)) return;
    const returnTo = await this.#pay(session, random.pick(CARDS));
    if (!returnTo) return;
    house.savedCards.push(session);
    if (random.chance(0.5)) await fetch(returnTo).catch(() => undefined);
    // Refused until the card is known.
    await requests.send('autopay', () => requests.api(house).patch(path, { autopay: true }));
  }

  /** Takes a card off file, now and then while it is being charged. */
  async #takeCardOffFile(house: House): Promise<void> {
    const { random, requests } = this;
    if (random.chance(0.7)) return;
    const path = `/v1/companies/${random.pick(house.companies)}/card`;
    await requests.send('card removal', () => requests.api(house).delete(path));
  }

  /** Sends an invoice that is due, and is charged to the card on file if there is one. */
  async #collect(house: House): Promise<void> {
    const invoice = await this.#invoice(house);
    if (invoice) this.#invoices.push(invoice);
  }

  async #invoice(house: House): Promise<Sent | null> {
    const { random, requests } = this;
    const key = { 'idempotency-key': randomUUID() };
    const body = {
      company_id: random.pick(house.companies),
      currency: 'GBP',
      due_at: new Date(Date.now() + (random.chance(0.7) ? 0 : 30 * DAY_MS)).toISOString(),
      lines: [
        { description: 'Desk', quantity: 1, unit_amount_minor: random.between(500, 9_000), tax_code: 'ZERO' },
      ],
    };
    const made = await requests.insist('invoice', () => requests.api(house).post('/v1/invoices', body, key));
    if (made?.status !== 201) return null;
    const { id, total_minor: total, pay_url: payUrl } = made.body;
    return { house, id, total, payUrl };
  }

  /** Pays an invoice in several ways at the same moment. */
  async #compete(house: House): Promise<void> {
    const { random } = this;
    const known = random.chance(0.5) ? this.#invoices.at(-1) : undefined;
    const invoice = known ?? (await this.#invoice(house));
    if (!invoice) return;
    const ways = [this.#markPaid, this.#markPaid, this.#markPaid, this.#payByLink, this.#void];
    const chosen = Array.from({ length: random.between(2, 4) }, () => random.pick(ways));
    await Promise.all(chosen.map((way) => way.call(this, invoice)));
  }

  async #markPaid({ house, id, total }: Sent): Promise<void> {
    const key = { 'idempotency-key': randomUUID() };
    const body = { amount_minor: total, method: 'cash' };
    const { requests } = this;
    const path = `/v1/invoices/${id}/mark-paid`;
    await requests.insist('mark paid', () => requests.api(house).post(path, body, key));
  }

  async #void({ house, id }: Sent): Promise<void> {
    const { requests } = this;
    await requests.send('void', () => requests.api(house).post(`/v1/invoices/${id}/void`, {}));
  }

  async #payByLink({ payUrl }: Sent): Promise<void> {
    const { random } = this;
    const url = random.pick(dev.baseUrls) + new URL(payUrl).pathname;
    const page = await fetch(url, { method: 'POST', redirect: 'manual' }).then(
      (response) => response.text(),
      () => '',
    );
    const session = sessionIn(page);
    if (!session) return;
    await this.requests.pause(random.between(0, 300));
    const returnTo = await this.#pay(session, CARDS[0]!);
    if (!returnTo) return;
    this.journal.payments++;
    if (random.chance(0.5)) await fetch(returnTo).catch(() => undefined);
  }

  /** Fills in a hosted page. Returns where the payer is sent; undefined if the page has been closed. */
  async #pay(session: string, card: string): Promise<string | undefined> {
    try {
      return (await simulator('POST', `/_sim/checkout/${session}/pay`, { card })).redirect_url;
    } catch {
      return undefined;
    }
  }
}

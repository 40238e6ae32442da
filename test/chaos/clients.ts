import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, dev, pay, sessionOf, simulator, type ApiClient } from '../support/stack.js';
import type { ApiResponse } from '../support/api-response.js';
import type { Random } from './random.js';
import { MAIL_DOMAIN, NAME, type House } from './scene.js';

const HOUR_MS = 3_600_000;
/** So few that clients compete for them. */
const HOURS = 48;
const TIERS = ['basic', 'plus', 'pro'];
const RETRY_PAUSE_MS = 500;
/** Its bank wants the payer to authenticate an off-session charge. */
const AUTHENTICATION_CARD = '4000002760003184';

/** What the clients of a run have seen. */
export class Journal {
  bookings = 0;
  payments = 0;
  /** Responses that no client should get. */
  readonly wrong: string[] = [];
}

interface Booked {
  house: House;
  id: string;
}

/** A client that books, pays, changes, cancels, refunds, upgrades and polls until it is stopped. */
export class ChaosClient {
  readonly #mine: Booked[] = [];
  readonly #windowStart = (Math.ceil(Date.now() / HOUR_MS) + 30 * 24) * HOUR_MS;

  constructor(
    private readonly houses: House[],
    private readonly random: Random,
    private readonly journal: Journal,
    private readonly stopped: AbortSignal,
  ) {}

  async run(): Promise<void> {
    const { random } = this;
    const others = [this.#change, this.#cancel, this.#refund, this.#upgrade, this.#poll];
    while (!this.stopped.aborted) {
      const house = random.pick(this.houses);
      const action = random.chance(0.5) ? this.#book : random.pick(others);
      await action.call(this, house);
      await this.#pause(random.between(20, 200));
    }
  }

  #pause(ms: number): Promise<void> {
    return sleep(ms, undefined, { signal: this.stopped }).catch(() => undefined);
  }

  /** A client of one of the API processes. */
  #api({ workspace }: House): ApiClient {
    return client(workspace.api.token, this.random.pick(dev.baseUrls));
  }

  /** Sends a request. Null if the connection failed; only responses that a client should never get are recorded. */
  async #send(what: string, request: () => Promise<ApiResponse>): Promise<ApiResponse | null> {
    try {
      const response = await request();
      if (response.status === 500) this.journal.wrong.push(`${what}: 500 ${JSON.stringify(response.body)}`);
      return response;
    } catch (error) {
      // fetch reports a lost connection as a TypeError; anything else is a response that is not in the document.
      if (!(error instanceof TypeError)) this.journal.wrong.push(`${what}: ${(error as Error).message}`);
      return null;
    }
  }

  /** Repeats a request with the same idempotency key until it is answered, as a client should. */
  async #insist(what: string, request: () => Promise<ApiResponse>): Promise<ApiResponse | null> {
    while (!this.stopped.aborted) {
      const response = await this.#send(what, request);
      if (response && response.status < 500 && response.status !== 429) return response;
      await this.#pause(RETRY_PAUSE_MS);
    }
    return null;
  }

  #slot(): { start_at: string; end_at: string } {
    const start = this.#windowStart + this.random.between(0, HOURS - 1) * HOUR_MS;
    const hours = this.random.chance(0.2) ? 2 : 1;
    return {
      start_at: new Date(start).toISOString(),
      end_at: new Date(start + hours * HOUR_MS).toISOString(),
    };
  }

  /** Asks for a slot, sometimes as several people at the same moment. */
  async #book(house: House): Promise<void> {
    const { random } = this;
    const place = { room_id: random.pick(house.rooms), ...this.#slot() };
    const people = random.chance(0.3) ? 4 : 1;
    const asked = Array.from({ length: people }, () => this.#create(house, place));
    for (const booking of await Promise.all(asked)) if (booking) await this.#payOrLeave(house, booking);
  }

  async #create(house: House, place: Record<string, unknown>): Promise<any> {
    const body = {
      ...place,
      booked_by: { guest: { email: `${randomUUID()}@${MAIL_DOMAIN}`, name: `${NAME} Guest` } },
      idempotency_key: randomUUID(),
    };
    const response = await this.#insist('create', () => this.#api(house).post('/v1/bookings', body));
    if (response?.status !== 201 && response?.status !== 200) return null;
    this.journal.bookings++;
    this.#mine.push({ house, id: response.body.id });
    return response.body;
  }

  async #payOrLeave(house: House, booking: any): Promise<void> {
    const { random } = this;
    await this.#pause(random.between(0, 1_500));
    if (random.chance(0.2)) return;
    const cancels = random.chance(0.25);
    if (random.chance(0.85)) {
      const paid = this.#pay(booking);
      await this.#pause(cancels ? random.between(0, 300) : 0);
      if (cancels) await this.#cancelBooking(house, booking.id);
      await paid;
    } else await this.#cancelBooking(house, booking.id);
  }

  async #pay(booking: any): Promise<void> {
    const async = this.random.chance(0.1);
    const visits = this.random.chance(0.5);
    try {
      const card = this.random.chance(0.3) ? { card: AUTHENTICATION_CARD } : {};
      const { redirect_url } = await pay(booking, { async, ...card });
      this.journal.payments++;
      if (visits) await fetch(redirect_url).catch(() => undefined);
      if (async) await simulator('POST', `/_sim/checkout/${sessionOf(booking)}/settle`);
    } catch {
      // The checkout has expired meanwhile.
    }
  }

  #recent(): Booked | undefined {
    return this.#mine.length === 0 ? undefined : this.random.pick(this.#mine.slice(-20));
  }

  async #change(): Promise<void> {
    const booked = this.#recent();
    if (!booked) return;
    const { house, id } = booked;
    const body = {
      ...this.#slot(),
      ...(this.random.chance(0.3) && { room_id: this.random.pick(house.rooms) }),
      ...(this.random.chance(0.7) && { on_authentication: 'link' }),
    };
    const response = await this.#send('change', () => this.#api(house).patch(`/v1/bookings/${id}`, body));
    if (response?.status === 202) await this.#payOrWithdraw(house, id, response.body.pending_change);
  }

  /** Pays a change by its link, withdraws it, does both at once, or leaves it until it lapses. */
  async #payOrWithdraw(house: House, id: string, pending: any): Promise<void> {
    await this.#pause(this.random.between(0, 1_000));
    const paid = this.random.chance(0.6) ? this.#pay(pending) : null;
    if (this.random.chance(0.4))
      await this.#send('withdraw', () => this.#api(house).delete(`/v1/bookings/${id}/pending-change`));
    await paid;
  }

  async #cancel(): Promise<void> {
    const booked = this.#recent();
    if (booked) await this.#cancelBooking(booked.house, booked.id);
  }

  async #cancelBooking(house: House, id: string): Promise<void> {
    const refund_policy = this.random.pick(['full', 'none', undefined]);
    await this.#send('cancel', () =>
      this.#api(house).post(`/v1/bookings/${id}/cancel`, refund_policy ? { refund_policy } : {}),
    );
  }

  async #refund(): Promise<void> {
    const booked = this.#recent();
    if (!booked) return;
    const { house, id } = booked;
    const list = await this.#send('payments', () => this.#api(house).get(`/v1/payments?booking_id=${id}`));
    const payment = list?.body.data?.find(({ kind }: any) => kind !== 'refund');
    if (!payment) return;
    const key = { 'idempotency-key': randomUUID() };
    const amount_minor = this.random.between(50, 500);
    await this.#insist('refund', () =>
      this.#api(house).post(`/v1/payments/${payment.id}/refund`, { amount_minor }, key),
    );
  }

  async #upgrade(house: House): Promise<void> {
    const member = this.random.pick(house.members);
    const tier = this.random.pick(TIERS);
    await this.#send('upgrade', () => this.#api(house).patch(`/v1/members/${member}`, { tier }));
  }

  async #poll(house: House): Promise<void> {
    const api = this.#api(house);
    const booked = this.#recent();
    if (booked) await this.#send('booking', () => this.#api(booked.house).get(`/v1/bookings/${booked.id}`));
    const [from, to] = [0, HOURS].map((hours) => new Date(this.#windowStart + hours * HOUR_MS).toISOString());
    const room = this.random.pick(house.rooms);
    await this.#send('availability', () => api.get(`/v1/rooms/${room}/availability?from=${from}&to=${to}`));
    await this.#send('list', () => api.get('/v1/bookings?limit=20'));
  }
}

import { randomUUID } from 'node:crypto';
import { smallestUnit } from '../../domain/processor/amounts.js';
import { pay, checkoutSessionId } from '../support/bookings.js';
import { simulator } from '../support/simulators.js';
import { Client } from './client.js';
import { MAIL_DOMAIN, NAME, type ChaosWorkspace } from './scene.js';
import type { Booking } from '../support/api-bodies.js';

const TIERS = ['basic', 'plus', 'pro'];
/** Its bank requires the payer's authentication for an off-session charge. */
const AUTHENTICATION_CARD = '4000002760003184';

interface Booked {
  workspace: ChaosWorkspace;
  id: string;
}

/** A client that books, pays, changes, cancels, refunds, upgrades and polls until it is stopped. */
export class ChaosBookers extends Client {
  readonly #mine: Booked[] = [];
  readonly #paid: Booked[] = [];

  protected async act(): Promise<void> {
    const { random } = this;
    const others = [
      this.#change,
      this.#change,
      this.#change,
      this.#cancel,
      this.#refund,
      this.#upgrade,
      this.#poll,
    ];
    const workspace = random.pick(this.workspaces);
    const action = random.chance(0.4) ? this.#book : random.pick(others);
    await action.call(this, workspace);
  }

  /** Requests a slot, sometimes as several people at the same moment. */
  async #book(workspace: ChaosWorkspace): Promise<void> {
    const { random } = this;
    const place = { room_id: random.pick(workspace.rooms), ...this.hours.slot() };
    const people = random.chance(0.3) ? 4 : 1;
    const asked = Array.from({ length: people }, () => this.#create(workspace, place));
    for (const booking of await Promise.all(asked)) if (booking) await this.#payOrLeave(workspace, booking);
  }

  async #create(workspace: ChaosWorkspace, place: Record<string, unknown>) {
    const body = {
      ...place,
      ...this.order(workspace),
      ...(this.random.chance(0.2)
        ? { booked_by: { member_id: this.random.pick(workspace.holders) }, use_tokens: true }
        : { booked_by: { guest: { email: `${randomUUID()}@${MAIL_DOMAIN}`, name: `${NAME} Guest` } } }),
      idempotency_key: randomUUID(),
    };
    const response = await this.requests.insist('create', () =>
      this.requests.api(workspace).post('/v1/bookings', body),
    );
    if (response?.status !== 201 && response?.status !== 200) return null;
    this.journal.bookings++;
    this.#mine.push({ workspace, id: response.body.id });
    return response.body;
  }

  async #payOrLeave(workspace: ChaosWorkspace, booking: Booking): Promise<void> {
    const { random } = this;
    await this.requests.pause(random.between(0, 1_500));
    if (random.chance(0.2)) return;
    const cancels = random.chance(0.25);
    if (random.chance(0.85)) {
      const paid = this.#pay(booking);
      await this.requests.pause(cancels ? random.between(0, 300) : 0);
      if (cancels) await this.#cancelBooking(workspace, booking.id);
      if (await paid) this.#paid.push({ workspace, id: booking.id });
    } else await this.#cancelBooking(workspace, booking.id);
  }

  /** Pays on the hosted page. Returns whether it was open. */
  async #pay(booking: { checkout_url: string | null }): Promise<boolean> {
    const async = this.random.chance(0.1);
    const visits = this.random.chance(0.5);
    try {
      const card = this.random.chance(0.3) ? { card: AUTHENTICATION_CARD } : {};
      const { redirect_url } = await pay(booking, { async, ...card });
      this.journal.payments++;
      if (visits) await fetch(redirect_url).catch(() => undefined);
      if (async) await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`);
      return true;
    } catch {
      // The checkout has expired in the meantime.
      return false;
    }
  }

  /** One of the newest bookings, mostly a paid one. */
  #recent(): Booked | undefined {
    const of = this.random.chance(0.8) ? this.#paid.slice(-10) : this.#mine.slice(-20);
    return of.length === 0 ? undefined : this.random.pick(of);
  }

  async #change(): Promise<void> {
    const booked = this.#recent();
    if (!booked) return;
    const { workspace, id } = booked;
    const moves = this.random.chance(0.6);
    const body = {
      ...(moves && this.hours.slot()),
      ...((!moves || this.random.chance(0.3)) && { extras: this.extras(workspace) }),
      ...(this.random.chance(0.5) && { room_id: this.random.pick(workspace.rooms) }),
      ...(this.random.chance(0.7) && { on_authentication: 'link' }),
    };
    const response = await this.requests.send('change', () =>
      this.requests.api(workspace).patch(`/v1/bookings/${id}`, body),
    );
    if (response?.status === 202) await this.#payOrWithdraw(workspace, id, response.body.pending_change);
  }

  /** Pays a change by its link, withdraws it, does both concurrently, or leaves it until it lapses. */
  async #payOrWithdraw(
    workspace: ChaosWorkspace,
    id: string,
    pending: { checkout_url: string },
  ): Promise<void> {
    await this.requests.pause(this.random.between(0, 1_000));
    const paid = this.random.chance(0.6) ? this.#pay(pending) : null;
    if (this.random.chance(0.4))
      await this.requests.send('withdraw', () =>
        this.requests.api(workspace).delete(`/v1/bookings/${id}/pending-change`),
      );
    await paid;
  }

  async #cancel(): Promise<void> {
    const booked = this.#recent();
    if (booked) await this.#cancelBooking(booked.workspace, booked.id);
  }

  async #cancelBooking(workspace: ChaosWorkspace, id: string): Promise<void> {
    const unit = smallestUnit(workspace.currency);
    const body = this.random.pick([
      {},
      {},
      { refund_policy: 'full' },
      { refund_policy: 'none' },
      { refund_amount_minor: this.random.between(0, 2_000) * unit },
    ]);
    await this.requests.send('cancel', () =>
      this.requests.api(workspace).post(`/v1/bookings/${id}/cancel`, body),
    );
  }

  async #refund(): Promise<void> {
    const booked = this.#recent();
    if (!booked) return;
    const { workspace, id } = booked;
    const list = await this.requests.send('payments', () =>
      this.requests.api(workspace).get(`/v1/payments?booking_id=${id}`),
    );
    const payments = list?.body.data?.filter(({ kind }) => kind !== 'refund') ?? [];
    if (payments.length === 0) return;
    const { id: paymentId } = this.random.pick(payments);
    const key = { 'idempotency-key': randomUUID() };
    const unit = smallestUnit(workspace.currency);
    const body = this.random.chance(0.8) ? { amount_minor: this.random.between(50, 1_500) * unit } : {};
    await this.requests.insist('refund', () =>
      this.requests.api(workspace).post(`/v1/payments/${paymentId}/refund`, body, key),
    );
  }

  async #upgrade(workspace: ChaosWorkspace): Promise<void> {
    const member = this.random.pick(workspace.members);
    const tier = this.random.pick(TIERS);
    await this.requests.send('upgrade', () =>
      this.requests.api(workspace).patch(`/v1/members/${member}`, { tier }),
    );
  }

  async #poll(workspace: ChaosWorkspace): Promise<void> {
    const api = this.requests.api(workspace);
    const booked = this.#recent();
    if (booked)
      await this.requests.send('booking', () =>
        this.requests.api(booked.workspace).get(`/v1/bookings/${booked.id}`),
      );
    const { from, to } = this.hours.window();
    const room = this.random.pick(workspace.rooms);
    await this.requests.send('availability', () =>
      api.get(`/v1/rooms/${room}/availability?from=${from}&to=${to}`),
    );
    await this.requests.send('list', () => api.get('/v1/bookings?limit=20'));
  }
}

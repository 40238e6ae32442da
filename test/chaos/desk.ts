import { randomUUID } from 'node:crypto';
import { hoursLater } from '../support/bookings.js';
import { Client } from './client.js';
import type { ChaosWorkspace } from './scene.js';

/** What is to be paid: a booking, or the difference for a change to it. */
interface Due {
  workspace: ChaosWorkspace;
  id: string;
  amount_minor: number;
  checkout_url: string;
  pending_change_id?: string;
}

/**
 * A front desk that books for walk-ins and takes the price, changes the booking and takes the difference,
 * while the guest pays on the hosted page, or the change is withdrawn or the booking cancelled, with several
 * of these at the same moment.
 */
export class ChaosDesk extends Client {
  readonly #mine: Pick<Due, 'workspace' | 'id'>[] = [];

  protected async act(): Promise<void> {
    const { random } = this;
    if (this.#mine.length === 0 || random.chance(0.4)) await this.#book(random.pick(this.workspaces));
    else await this.#change(random.pick(this.#mine.slice(-6)));
  }

  async #book(workspace: ChaosWorkspace): Promise<void> {
    const booked = await this.bookFor(workspace);
    if (!booked) return;
    const { id, price, checkout_url } = booked;
    this.#mine.push({ workspace, id });
    if (checkout_url) await this.#compete({ workspace, id, amount_minor: price.amount_minor, checkout_url });
  }

  /**
   * Makes a booking longer or shorter, often at another time. A booking paid at the desk has no card for a
   * difference.
   */
  async #change({ workspace, id }: Pick<Due, 'workspace' | 'id'>): Promise<void> {
    const { requests } = this;
    const { start_at } = this.hours.slot();
    const body = {
      start_at,
      end_at: hoursLater(start_at, this.random.between(1, 4)),
      ...(this.random.chance(0.3) && { room_id: this.random.pick(workspace.rooms) }),
      ...(this.random.chance(0.3) && { extras: this.extras(workspace) }),
      on_authentication: 'link',
    };
    const changed = await requests.send('change', () =>
      requests.api(workspace).patch(`/v1/bookings/${id}`, body),
    );
    if (changed?.status !== 202) return;
    const { id: pending_change_id, amount_minor, checkout_url } = changed.body.pending_change;
    await this.#compete({ workspace, id, amount_minor, checkout_url, pending_change_id });
  }

  /** Takes the money in one or several ways at the same moment. */
  async #compete(due: Due): Promise<void> {
    const { random } = this;
    const give = due.pending_change_id ? this.#withdraw : this.#cancel;
    const ways = [this.#take, this.#take, this.#take, this.#pay, give, this.#cancel];
    const others = Array.from({ length: random.chance(0.5) ? random.between(1, 2) : 0 }, () =>
      random.pick(ways),
    );
    await Promise.all([this.#take, ...others].map((way) => way.call(this, due)));
  }

  async #take({ workspace, id, amount_minor, pending_change_id }: Due): Promise<void> {
    const { requests, random } = this;
    await requests.pause(random.between(0, 300));
    const key = { 'idempotency-key': randomUUID() };
    const received = this.payments.received();
    const body = { method: random.pick(['cash', 'terminal']), amount_minor, pending_change_id, ...received };
    const taken = await requests.insist('desk payment', () =>
      requests.api(workspace).post(`/v1/bookings/${id}/payments`, body, key),
    );
    if (taken?.status === 201) this.journal.takenAtDesk++;
  }

  #pay({ checkout_url }: Due): Promise<void> {
    return this.payments.payAt(checkout_url);
  }

  async #withdraw({ workspace, id }: Due): Promise<void> {
    await this.requests.send('withdraw', () =>
      this.requests.api(workspace).delete(`/v1/bookings/${id}/pending-change`),
    );
  }

  async #cancel({ workspace, id }: Due): Promise<void> {
    if (this.random.chance(0.5)) return;
    const refund_policy = this.random.pick(['full', 'none', 'standard']);
    await this.requests.send('cancel', () =>
      this.requests.api(workspace).post(`/v1/bookings/${id}/cancel`, { refund_policy }),
    );
  }
}

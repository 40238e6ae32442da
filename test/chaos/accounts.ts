import { randomUUID } from 'node:crypto';
import { Client } from './client.js';
import type { Sent } from './invoice-payments.js';
import type { ChaosWorkspace } from './scene.js';

interface Owed extends Sent {
  bookingId: string;
}

/**
 * Members who book on account, often beyond the credit limit of their payer. Their invoices are paid by link,
 * by a card on file or at the office, waived by a cancellation, voided, or left open, with several of these
 * at the same moment.
 */
export class ChaosAccounts extends Client {
  readonly #owed: Owed[] = [];

  protected async act(): Promise<void> {
    if (this.random.chance(0.5)) await this.#book(this.random.pick(this.workspaces));
    else await this.#compete();
  }

  /** Makes one or several bookings at the same moment, for members who may have the same payer. */
  async #book(workspace: ChaosWorkspace): Promise<void> {
    const { random } = this;
    const members = Array.from({ length: random.chance(0.4) ? 4 : 1 }, () =>
      random.pick(workspace.onAccount),
    );
    const created = await Promise.all(members.map((member) => this.#create(workspace, member)));
    for (const owed of created) if (owed) this.#owed.push(owed);
  }

  async #create(workspace: ChaosWorkspace, member_id: string): Promise<Owed | null> {
    const { random, requests } = this;
    const body = {
      room_id: random.pick(workspace.rooms),
      ...this.hours.slot(),
      ...this.order(workspace),
      booked_by: { member_id },
      settle: 'on_account',
      idempotency_key: randomUUID(),
    };
    const created = await requests.insist('create on account', () =>
      requests.api(workspace).post('/v1/bookings', body),
    );
    if (created?.body.error?.code === 'credit_limit_exceeded') this.journal.overLimit++;
    if (created?.status !== 201 && created?.status !== 200) return null;
    this.journal.onAccount++;
    const { id: bookingId, invoice_id } = created.body;
    const invoice = await requests.insist('invoice on account', () =>
      requests.api(workspace).get(`/v1/invoices/${invoice_id}`),
    );
    if (invoice?.status !== 200) return null;
    const { id, total_minor: total, pay_url: payUrl } = invoice.body;
    return { workspace, bookingId, id, total, payUrl: payUrl! };
  }

  /** Acts on an invoice in one or several ways at the same moment. */
  async #compete(): Promise<void> {
    const { random } = this;
    if (this.#owed.length === 0) return;
    const owed = random.pick(this.#owed);
    const payments = this.payments;
    const ways: ((owed: Owed) => Promise<void>)[] = [
      (each) => payments.markPaid(each),
      (each) => payments.payByLink(each),
      (each) => payments.payByLink(each),
      (each) => payments.void(each),
      (each) => this.#cancel(each),
      (each) => this.#cancel(each),
      (each) => this.#change(each),
    ];
    const chosen = Array.from({ length: random.between(1, 3) }, () => random.pick(ways));
    await Promise.all(chosen.map((way) => way(owed)));
    if (random.chance(0.5)) await this.#forgetSettled(owed);
  }

  /** Leaves settled invoices alone, so that the credit limits are free again. */
  async #forgetSettled({ workspace, id }: Owed): Promise<void> {
    const invoice = await this.requests.send('invoice on account', () =>
      this.requests.api(workspace).get(`/v1/invoices/${id}`),
    );
    if (invoice?.status !== 200 || ['open', 'authorised'].includes(invoice.body.status)) return;
    this.#owed.splice(
      this.#owed.findIndex((each) => each.id === id),
      1,
    );
  }

  async #cancel({ workspace, bookingId }: Owed): Promise<void> {
    const refund_policy = this.random.pick(['standard', 'full', 'none']);
    await this.requests.send('cancel on account', () =>
      this.requests.api(workspace).post(`/v1/bookings/${bookingId}/cancel`, { refund_policy }),
    );
  }

  /** Refused while the price is not paid. */
  async #change({ workspace, bookingId }: Owed): Promise<void> {
    const body = { ...this.hours.slot(), on_authentication: 'link' };
    const response = await this.requests.send('change on account', () =>
      this.requests.api(workspace).patch(`/v1/bookings/${bookingId}`, body),
    );
    if (response?.status !== 202 || this.random.chance(0.3)) return;
    await this.payments.payAt(response.body.pending_change.checkout_url);
  }
}

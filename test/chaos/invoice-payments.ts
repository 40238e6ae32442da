import { randomUUID } from 'node:crypto';
import { DAY_MS } from '../../domain/durations.js';
import { simulator } from '../support/simulators.js';
import type { Random } from './random.js';
import type { Journal, Requests } from './requests.js';
import type { ChaosWorkspace } from './scene.js';

/** Approved; declined later; requires the payer's authentication; decided later by the bank. */
export const CARDS = ['4242424242424242', '4000000000000341', '4000002760003184', '4000003560000297'];

/** How long after their receipt some payments are recorded. */
const RECORDED_AFTER_MS = 40 * DAY_MS;

export const sessionIn = (text: string): string | undefined => /cs_[A-Za-z0-9_]+/.exec(text)?.[0];

/** An invoice that can be paid. */
export interface Sent {
  workspace: ChaosWorkspace;
  id: string;
  total: number;
  payUrl: string;
}

/** Fills in a hosted page. Returns where the payer is sent; undefined if the page has been closed. */
export async function payPage(session: string, card = CARDS[0]!): Promise<string | undefined> {
  try {
    return (await simulator('POST', `/_sim/checkout/${session}/pay`, { card })).redirect_url;
  } catch {
    return undefined;
  }
}

/** What payers and the office do with an invoice. */
export class InvoicePayments {
  constructor(
    private readonly random: Random,
    private readonly journal: Journal,
    private readonly requests: Requests,
  ) {}

  /** When a payment that is recorded now was received, occasionally in an earlier month. */
  received(): { paid_at?: string } {
    if (this.random.chance(0.7)) return {};
    return { paid_at: new Date(Date.now() - RECORDED_AFTER_MS).toISOString() };
  }

  async markPaid({ workspace, id, total }: Sent): Promise<void> {
    const key = { 'idempotency-key': randomUUID() };
    const body = { amount_minor: total, method: 'cash', ...this.received() };
    const { requests } = this;
    const path = `/v1/invoices/${id}/mark-paid` as const;
    await requests.insist('mark paid', () => requests.api(workspace).post(path, body, key));
  }

  async void({ workspace, id }: Sent): Promise<void> {
    const { requests } = this;
    await requests.send('void', () => requests.api(workspace).post(`/v1/invoices/${id}/void`, {}));
  }

  async payByLink({ payUrl }: Sent): Promise<void> {
    const page = await this.requests.page('payment link', payUrl, {});
    if (page) await this.payAt(page.html);
  }

  /**
   * Pays on the hosted page that an address or a page leads to, and returns to the
   * service or closes the browser.
   */
  async payAt(text: string, card?: string): Promise<void> {
    const { random } = this;
    const session = sessionIn(text);
    if (!session) return;
    await this.requests.pause(random.between(0, 300));
    const returnTo = await payPage(session, card);
    if (!returnTo) return;
    this.journal.payments++;
    if (random.chance(0.5)) await fetch(returnTo).catch(() => undefined);
  }
}

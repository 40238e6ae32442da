import { smallestUnit } from '../../domain/processor/amounts.js';
import { processorLedger, simulator } from '../support/simulators.js';
import { Client } from './client.js';
import type { ChaosWorkspace } from './scene.js';

/**
 * Activity at the processor without the service: its dashboard refunds parts of payments, and banks dispute
 * them.
 */
export class ChaosDashboard extends Client {
  readonly #disputed: { id: string }[] = [];

  protected async act(): Promise<void> {
    const { random } = this;
    await this.requests.pause(random.between(500, 3_000));
    const action = random.pick([this.#refund, this.#refund, this.#dispute, this.#decide]);
    // A charge that the service is refunding at the same time, or that is disputed, is refused.
    await action.call(this, random.pick(this.workspaces)).catch(() => undefined);
  }

  /** A charge without refunds. */
  async #charge({ workspace }: ChaosWorkspace) {
    const { charges } = await processorLedger(workspace);
    const whole = charges.filter((each) => each.status === 'succeeded' && each.amount_refunded === 0);
    return whole.length > 0 ? this.random.pick(whole) : null;
  }

  /** A part of a charge, mostly a small one, so that the service can still make refunds. */
  #part({ currency }: ChaosWorkspace, { amount }: { amount: number }): number {
    const part = this.random.pick([0.1, 0.1, 0.1, 0.5, 1]);
    // The processor's units of the workspaces' currencies are their minor units.
    const unit = smallestUnit(currency);
    return Math.max(unit, Math.floor((amount * part) / unit) * unit);
  }

  async #refund(workspace: ChaosWorkspace): Promise<void> {
    const charge = await this.#charge(workspace);
    if (!charge) return;
    const amount = this.#part(workspace, charge);
    await simulator('POST', `/_sim/payment_intents/${String(charge.payment_intent)}/refund`, { amount });
    this.journal.madeAtProcessor++;
  }

  async #dispute(workspace: ChaosWorkspace): Promise<void> {
    const charge = await this.#charge(workspace);
    if (!charge) return;
    const status = this.random.pick(['needs_response', 'warning_needs_response']);
    const amount = this.#part(workspace, charge);
    const dispute = await simulator('POST', `/_sim/charges/${charge.id}/dispute`, { status, amount });
    if (status === 'needs_response') this.#disputed.push(dispute);
    this.journal.madeAtProcessor++;
  }

  /** A bank decides a dispute. */
  async #decide(): Promise<void> {
    const dispute = this.#disputed.pop();
    if (!dispute) return;
    await simulator('POST', `/_sim/disputes/${dispute.id}`, { status: this.random.pick(['won', 'lost']) });
  }
}

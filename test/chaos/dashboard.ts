import { processorLedger, simulator } from '../support/simulators.js';
import { Client } from './client.js';
import type { House } from './scene.js';

/** What happens at the processor without the service: its dashboard refunds parts of payments, and banks dispute them. */
export class ChaosDashboard extends Client {
  readonly #disputed: { id: string }[] = [];

  protected async act(): Promise<void> {
    const { random } = this;
    await this.requests.pause(random.between(500, 3_000));
    const action = random.pick([this.#refund, this.#refund, this.#dispute, this.#decide]);
    // A charge that is being refunded by the service meanwhile, or disputed, is refused.
    await action.call(this, random.pick(this.houses)).catch(() => undefined);
  }

  /** A charge of which most is left, so that refunds by the service go on being possible. */
  async #charge({ workspace }: House) {
    const { charges } = await processorLedger(workspace);
    const whole = charges.filter((each) => each.status === 'succeeded' && each.amount_refunded === 0);
    return whole.length > 0 ? this.random.pick(whole) : null;
  }

  async #refund(house: House): Promise<void> {
    const charge = await this.#charge(house);
    if (!charge) return;
    const amount = Math.max(1, Math.floor(charge.amount / 10));
    await simulator('POST', `/_sim/payment_intents/${String(charge.payment_intent)}/refund`, { amount });
    this.journal.madeAtProcessor++;
  }

  async #dispute(house: House): Promise<void> {
    const charge = await this.#charge(house);
    if (!charge) return;
    const status = this.random.pick(['needs_response', 'warning_needs_response']);
    const dispute = await simulator('POST', `/_sim/charges/${charge.id}/dispute`, { status });
    if (status === 'needs_response') this.#disputed.push(dispute);
    this.journal.madeAtProcessor++;
  }

  /** A bank decides about a dispute. */
  async #decide(): Promise<void> {
    const dispute = this.#disputed.pop();
    if (!dispute) return;
    await simulator('POST', `/_sim/disputes/${dispute.id}`, { status: this.random.pick(['won', 'lost']) });
  }
}

import { Hours } from './hours.js';
import { InvoicePayments } from './invoice-payments.js';
import type { Random } from './random.js';
import type { Journal, Requests } from './requests.js';
import type { House } from './scene.js';

/** Does one thing after another until it is stopped. */
export abstract class Client {
  protected readonly hours: Hours;
  protected readonly payments: InvoicePayments;

  constructor(
    protected readonly houses: House[],
    protected readonly random: Random,
    protected readonly journal: Journal,
    protected readonly requests: Requests,
    private readonly stopped: AbortSignal,
  ) {
    this.hours = new Hours(random);
    this.payments = new InvoicePayments(random, journal, requests);
  }

  async run(): Promise<void> {
    while (!this.stopped.aborted) {
      await this.act();
      await this.requests.pause(this.random.between(20, 200));
    }
  }

  protected abstract act(): Promise<void>;
}

import { randomUUID } from 'node:crypto';
import type { Booking } from '../support/api-bodies.js';
import { Hours } from './hours.js';
import { InvoicePayments } from './invoice-payments.js';
import type { Random } from './random.js';
import type { Journal, Requests } from './requests.js';
import { MAIL_DOMAIN, NAME, type ChaosWorkspace } from './scene.js';

/** Acts repeatedly until it is stopped. */
export abstract class Client {
  protected readonly hours: Hours;
  protected readonly payments: InvoicePayments;

  constructor(
    protected readonly workspaces: ChaosWorkspace[],
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

  /** What is booked with the room: extras, and occasionally a code. */
  protected order(workspace: ChaosWorkspace) {
    const { random } = this;
    return {
      ...(random.chance(0.5) && { extras: this.extras(workspace) }),
      ...(random.chance(0.2) && { discount_code: random.pick(workspace.discounts) }),
    };
  }

  /** Some of the extras of a workspace, or none. */
  protected extras({ extras }: ChaosWorkspace): { extra_id: string; quantity: number }[] {
    const { random } = this;
    return extras
      .filter(() => random.chance(0.4))
      .map(({ id, most }) => ({ extra_id: id, quantity: random.between(1, most) }));
  }

  /** Books a room for a new guest; null if that is refused. `who`: part of the guest's name. */
  protected async bookFor(workspace: ChaosWorkspace, who = 'Guest'): Promise<Booking | null> {
    const { random, requests } = this;
    const body = {
      room_id: random.pick(workspace.rooms),
      ...this.hours.slot(),
      ...this.order(workspace),
      booked_by: { guest: { email: `${randomUUID()}@${MAIL_DOMAIN}`, name: `${NAME} ${who}` } },
      idempotency_key: randomUUID(),
    };
    const created = await requests.insist('create', () => requests.api(workspace).post('/v1/bookings', body));
    if (created?.status !== 201 && created?.status !== 200) return null;
    this.journal.bookings++;
    return created.body;
  }
}

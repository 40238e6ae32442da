import { internal } from '../support/api-client.js';
import { Client } from './client.js';
import type { ChaosWorkspace } from './scene.js';

/** The number of months invoiced ahead. A long run invoices them repeatedly, which opens nothing. */
const MONTHS = 4;

/** A day by which that many more months have begun for everybody. */
function dayAfter(months: number): string {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, 28)).toISOString().slice(0, 10);
}

/** By this day everybody is invoiced at the end of a run. */
export const LAST_DAY = dayAfter(MONTHS);

/**
 * The job that invoices a workspace's subscribers for one month after another, sometimes twice at the same
 * moment.
 */
export class ChaosSubscriptions extends Client {
  #months = 0;

  protected async act(): Promise<void> {
    const { random } = this;
    await this.requests.pause(random.between(1_000, 5_000));
    this.#months = Math.min(MONTHS, this.#months + 1);
    const day = dayAfter(this.#months);
    const jobs = this.workspaces.flatMap((workspace) =>
      Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => this.#invoice(workspace, day)),
    );
    await Promise.all(jobs);
  }

  async #invoice({ workspace: { id } }: ChaosWorkspace, as_of: string): Promise<void> {
    await this.requests.send('subscription invoices', () =>
      internal('run_job', { job: 'subscription_invoices', workspace_id: id, as_of }),
    );
  }
}

import { internal } from './api-client.js';
import { db } from './stack.js';
import { newWorkspace, type TestWorkspace } from './workspaces.js';

const PRICES = { basic: 0, plus: 4_000, pro: 9_000, enterprise: 20_000 };

/**
 * Creates a workspace with tier prices. Its owner pays nothing, so that tests count only their own payers.
 */
export async function newBillingWorkspace(overrides: Record<string, unknown> = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace(overrides);
  const { status } = await workspace.api.patch('/v1/workspace', { tier_prices: PRICES });
  if (status !== 200) throw new Error('tier_prices were refused');
  await db.query(`UPDATE members SET billing_anchor = NULL WHERE workspace_id = $1`, [workspace.id]);
  return workspace;
}

/** Runs the subscription invoice job for one workspace as of a date. */
export async function runSubscriptionInvoices(
  { id }: TestWorkspace,
  as_of: string,
): Promise<{ created: string[]; skipped: number }> {
  const { status, body } = await internal('run_job', {
    job: 'subscription_invoices',
    workspace_id: id,
    as_of,
  });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body;
}

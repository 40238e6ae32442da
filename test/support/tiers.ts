import Stripe from 'stripe';
import { processorLedger } from './simulators.js';
import { dev } from './stack.js';
import { until } from './until.js';
import { newWorkspace, type TestWorkspace } from './workspaces.js';

/** Monthly prices by tier, in minor units. The owner has the enterprise tier and pays nothing. */
const PRICES = { basic: 1_000, plus: 2_000, pro: 4_000, enterprise: 0 };

const { hostname, port } = new URL(dev.processorUrl!);
/** Stripe's own client, as a connected account's operator might use it. */
export const stripe = new Stripe('sk_test_holdfast', {
  host: hostname,
  port,
  protocol: 'http',
  telemetry: false,
});

/** Creates a workspace with tier prices. */
export async function newTierWorkspace(overrides: Record<string, unknown> = {}): Promise<TestWorkspace> {
  const workspace = await newWorkspace(overrides);
  await workspace.api.patch('/v1/workspace', { tier_prices: PRICES });
  return workspace;
}

/**
 * The service's own subscription on a workspace's account, in its current state; the newest if there were
 * several.
 */
export async function tierSubscription(workspace: TestWorkspace): Promise<Stripe.Subscription> {
  const { subscriptions } = await processorLedger(workspace);
  const own = subscriptions.filter(({ metadata }) => metadata.workspace_id === workspace.id);
  return own.sort((a, b) => a.created - b.created).at(-1)!;
}

/** The quantities of the service's subscription, by tier. */
export async function quantities(workspace: TestWorkspace): Promise<Record<string, number>> {
  const { items } = await tierSubscription(workspace);
  return Object.fromEntries(items.data.map((item) => [item.metadata.tier, item.quantity!]));
}

export const listInvoices = async ({ api }: TestWorkspace) => (await api.get('/v1/invoices')).body.data;

/** Waits until a workspace has `count` invoices. Returns all of them. */
export const untilInvoiced = (workspace: TestWorkspace, count = 1) =>
  until(async () => {
    const invoices = await listInvoices(workspace);
    return invoices.length >= count && invoices;
  });

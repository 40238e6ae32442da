import type Stripe from 'stripe';
import { PROCESSOR_EVENTS } from '../domain/processor/events.js';

export type Registration = keyof typeof PROCESSOR_EVENTS;

/** Marks registrations that this command created, so that it leaves others on the same account alone. */
const MARK = 'holdfast_registration';

const REGISTRATIONS = Object.keys(PROCESSOR_EVENTS) as Registration[];

export interface WebhookEndpointsResult {
  /** The signing secrets of new registrations. They cannot be read again later. */
  secrets: Partial<Record<Registration, string>>;
  /** One sentence for each thing that was done or is left to do. */
  notes: string[];
}

/**
 * Creates or updates both webhook registrations at the processor (docs/guides/stripe-and-xero.md#stripe): one
 * address, both of the Connect kind, in the API version that the service uses. Running it again changes
 * nothing. With `replace`, those registrations are created again, with new secrets, and the old ones are
 * deleted.
 */
export async function ensureWebhookEndpoints(
  stripe: Stripe,
  options: { url: string; apiVersion: string; replace?: Registration[] },
): Promise<WebhookEndpointsResult> {
  const { url, apiVersion, replace = [] } = options;
  const result: WebhookEndpointsResult = { secrets: {}, notes: [] };
  const existing: Stripe.WebhookEndpoint[] = [];
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) existing.push(endpoint);
  const here = existing.filter((endpoint) => endpoint.url === url);

  for (const name of REGISTRATIONS) {
    const enabled_events = PROCESSOR_EVENTS[
      name
    ] as unknown as Stripe.WebhookEndpointCreateParams.EnabledEvent[];
    const [found, ...surplus] = here.filter(({ metadata }) => metadata[MARK] === name);
    if (found && !replace.includes(name)) {
      await update(found, name, enabled_events);
      for (const { id } of surplus)
        result.notes.push(`${id} is a second registration of the same events: delete it.`);
      continue;
    }
    const created = await stripe.webhookEndpoints.create({
      url,
      connect: true,
      enabled_events,
      api_version: apiVersion as Stripe.WebhookEndpointCreateParams.ApiVersion,
      description: `Holdfast: ${name}`,
      metadata: { [MARK]: name },
    });
    result.secrets[name] = created.secret!;
    result.notes.push(`Created the ${name} registration ${created.id} for ${url}.`);
    // Deleted last: until the new secret is deployed, the processor repeats refused events.
    for (const { id } of found ? [found, ...surplus] : []) {
      await stripe.webhookEndpoints.del(id);
      result.notes.push(`Deleted the registration ${id}, which it replaces.`);
    }
  }
  for (const { id, metadata } of here)
    if (!metadata[MARK])
      result.notes.push(`${id} at the same address was not created by this command: check it.`);
  return result;

  async function update(
    found: Stripe.WebhookEndpoint,
    name: Registration,
    enabled_events: Stripe.WebhookEndpointCreateParams.EnabledEvent[],
  ): Promise<void> {
    const listed = [...found.enabled_events].sort().join();
    const changes = {
      ...(listed !== [...enabled_events].sort().join() && { enabled_events }),
      ...(found.status === 'disabled' && { disabled: false }),
    };
    if (Object.keys(changes).length > 0) {
      await stripe.webhookEndpoints.update(found.id, changes);
      result.notes.push(`Updated the ${name} registration ${found.id}: ${Object.keys(changes).join(', ')}.`);
    }
    if (found.api_version !== apiVersion)
      result.notes.push(
        `The ${name} registration ${found.id} has API version ${found.api_version} instead of ` +
          `${apiVersion}, which cannot be changed: create it again with --replace-webhook-endpoints.`,
      );
  }
}

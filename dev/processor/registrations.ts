import type Stripe from 'stripe';
import { newId } from './state/ids.js';
import type { StoredRegistration, Via } from './state/records.js';
import type { Store } from './state/store.js';

const CHECKOUT_TYPES = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
];

/** A random signing secret. */
export const newSecret = (): string => newId('whsec', 32);

/** True for the types that the platform's registration receives. */
export const isCheckoutType = (type: string): boolean => type.startsWith('checkout.session.');

/** A registration for checkout events is the platform's, any other one the Connect registration. */
export const registrationVia = (types: string[]): Via =>
  types.some(isCheckoutType) ? 'platform' : 'connect';

/** A registration in Stripe's shape. */
export function buildRegistration(
  given: Pick<Stripe.WebhookEndpoint, 'id' | 'enabled_events' | 'url'> & Partial<Stripe.WebhookEndpoint>,
): Stripe.WebhookEndpoint {
  return {
    object: 'webhook_endpoint',
    api_version: null,
    application: null,
    created: Math.floor(Date.now() / 1000),
    description: null,
    livemode: false,
    metadata: {},
    status: 'enabled',
    ...given,
  };
}

/**
 * Stores the registrations that the simulator is started with, replacing those of an earlier start. They are
 * of the Connect kind: with direct charges, every payment event belongs to the connected account.
 */
export function registerAtStart(store: Store, url: string, secrets: Record<Via, string>): void {
  store.transaction(() => {
    for (const via of ['platform', 'connect'] as const) {
      const enabled_events = via === 'platform' ? CHECKOUT_TYPES : ['*'];
      const object = buildRegistration({ id: `we_${via}`, enabled_events, url });
      store.add(
        store.webhook_endpoints,
        object,
        { account: null },
        { connect: true, via, secret: secrets[via] },
      );
    }
  });
}

/** The enabled registration for events of one kind; the newest if there are several. */
export function findRegistration(store: Store, via: Via): StoredRegistration | undefined {
  return store.webhook_endpoints
    .newestFirst()
    .find((registration) => registration.via === via && registration.object.status === 'enabled');
}

/** True if a registration receives events of an account; null is the platform's own. */
export const takes = ({ connect }: StoredRegistration, account: string | null): boolean =>
  connect === (account !== null);

/** True if a registration lists an event's type. */
export const lists = ({ object }: StoredRegistration, type: string): boolean =>
  object.enabled_events.some((listed) => listed === '*' || listed === type);

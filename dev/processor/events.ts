import type Stripe from 'stripe';
import { findRegistration, isCheckoutType, lists, takes } from './registrations.js';
import { dropsWebhook, type Faults } from './state/faults.js';
import { newId } from './state/ids.js';
import type { ApiObject, Origin, Via } from './state/records.js';
import type { Store } from './state/store.js';

/** The simulated version of Stripe's API: that of the installed client. */
export const API_VERSION = '2026-10-28.endive';
/** Shuffled webhooks are sent in random order within this time. */
const SHUFFLE_WITHIN_MS = 300;

/** A new event. */
export interface NewEvent {
  type: string;
  object: object;
  origin: Origin;
  via: Via;
  previous?: object;
  livemode?: boolean;
  created?: number;
}

/** Records an event and queues its webhook. Delivery starts after the transaction. */
export function emit(store: Store, type: string, object: ApiObject, origin: Origin, previous?: object): void {
  const { account } = origin;
  // An account that has disconnected the platform sends it no events.
  if (account && store.accounts.get(account)?.revoked) return;
  const faults = store.currentFaults(account);
  const via = route(type, faults);
  const event = buildEvent({ type, object, origin, previous, via });
  store.events.set(event.event.id, event);
  const registration = findRegistration(store, via);
  if (!registration || !takes(registration, account)) return;
  // With Stripe's own routing one registration takes every type, listed or not.
  if (faults.webhook_routing !== 'stripe' && !lists(registration, type)) return;
  if (!dropsWebhook(faults, type, via)) queue(store, event.event.id, faults);
}

/**
 * Builds an event in Stripe's shape. An event of a connected account has the account at the top level,
 * whatever its type.
 */
export function buildEvent({ type, object, origin, via, previous, livemode = false, created }: NewEvent) {
  const event = {
    id: newId('evt'),
    object: 'event',
    ...(origin.account && { account: origin.account }),
    api_version: API_VERSION,
    created: created ?? Math.floor(Date.now() / 1000),
    data: { object, ...(previous && { previous_attributes: previous }) },
    livemode,
    pending_webhooks: 1,
    request: origin.request ?? { id: null, idempotency_key: null },
    type,
  } as unknown as Stripe.Event;
  return { event, via, account: origin.account };
}

/**
 * The registration that receives an event: by default the platform's for checkout events, otherwise the
 * Connect one.
 */
function route(type: string, { webhook_routing }: Faults): Via {
  return webhook_routing !== 'stripe' && isCheckoutType(type) ? 'platform' : 'connect';
}

function queue(store: Store, eventId: string, faults: Faults): void {
  for (let copy = 0; copy <= faults.duplicate_webhooks; copy += 1) {
    const shuffled = faults.shuffle_webhooks ? Math.random() * SHUFFLE_WITHIN_MS : 0;
    store.deliveries.set(newId('whd'), {
      event_id: eventId,
      attempt: 0,
      next_at: Date.now() + faults.webhook_delay_ms + shuffled,
      once: copy > 0,
    });
  }
}

import { buildEvent } from '../events.js';
import { findAccount } from '../payments/account.js';
import { resourceMissing } from '../http/errors.js';
import type { Simulator } from '../simulator.js';
import type { StoredEvent } from '../state/records.js';
import type { EventBody } from './schemas.js';

/**
 * Sends one webhook immediately, regardless of faults: an earlier event, or a new one about any object.
 * Responds with the receiver's status.
 */
export async function sendEvent(sim: Simulator, body: EventBody) {
  const stored = body.event_id === undefined ? newEvent(sim, body) : knownEvent(sim, body.event_id);
  const status = await sim.webhooks.sendOnce(stored);
  return { event_id: stored.event.id, type: stored.event.type, via: stored.via, status };
}

function knownEvent({ store }: Simulator, id: string): StoredEvent {
  const stored = store.events.get(id);
  if (!stored) throw resourceMissing('event', id, 'event_id');
  return stored;
}

function newEvent(sim: Simulator, { type, object, via, account, livemode, created }: EventBody) {
  return sim.store.transaction(() => {
    if (account) followAccount(sim, account, type, object);
    const stored = buildEvent({ type, object, origin: { account: account ?? null }, via, livemode, created });
    sim.store.events.set(stored.event.id, stored);
    return stored;
  });
}

/**
 * Applies the effect of these events: calls for a revoked account are rejected until it is connected again.
 */
function followAccount(sim: Simulator, id: string, type: string, object: object): void {
  const stored = findAccount(sim, id);
  if (type === 'account.application.deauthorized') sim.store.accounts.set(id, { ...stored, revoked: true });
  if (type !== 'account.updated') return;
  const changes = object as Partial<typeof stored.object>;
  const revoked = stored.revoked && changes.charges_enabled !== true;
  sim.store.accounts.set(id, {
    ...stored,
    object: { ...stored.object, ...changes, id, object: 'account' },
    revoked,
  });
}

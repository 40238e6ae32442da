import { buildEvent } from '../events.js';
import { findAccount } from '../payments/account.js';
import { invalidRequest, resourceMissing } from '../http/errors.js';
import type { Simulator } from '../simulator.js';
import type { StoredEvent } from '../state/records.js';
import { field, onlyKnown, word } from './body.js';

/**
 * Sends one webhook immediately, regardless of faults: an earlier event, or a new one about any object. Responds with the
 * receiver's status.
 */
export async function sendEvent(sim: Simulator, body: Record<string, unknown>) {
  const stored = field(body, 'event_id', 'string') ? knownEvent(sim, body) : newEvent(sim, body);
  const status = await sim.webhooks.sendOnce(stored);
  return { event_id: stored.event.id, type: stored.event.type, via: stored.via, status };
}

function knownEvent({ store }: Simulator, body: Record<string, unknown>): StoredEvent {
  onlyKnown(body, 'event_id');
  const id = field(body, 'event_id', 'string') ?? '';
  const stored = store.events.get(id);
  if (!stored) throw resourceMissing('event', id, 'event_id');
  return stored;
}

function newEvent(sim: Simulator, body: Record<string, unknown>): StoredEvent {
  onlyKnown(body, 'type', 'object', 'account', 'via', 'livemode', 'created');
  const type = field(body, 'type', 'string');
  const object = field(body, 'object', 'object');
  const via = word(body, 'via', ['platform', 'connect']);
  const account = field(body, 'account', 'string') ?? null;
  if (!type || !object || !via)
    throw invalidRequest('An event needs `type`, `object` and `via`, or an `event_id`.');
  const livemode = field(body, 'livemode', 'boolean');
  const created = field(body, 'created', 'number');
  return sim.store.transaction(() => {
    if (account) followAccount(sim, account, type, object);
    const stored = buildEvent({ type, object, origin: { account }, via, livemode, created });
    sim.store.events.set(stored.event.id, stored);
    return stored;
  });
}

/** Applies what these events say: calls for a revoked account are rejected until it is connected again. */
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

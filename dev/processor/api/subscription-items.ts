import { applyChange, upToDate } from '../billing/subscription.js';
import { endpoint, type Target } from '../http/endpoint.js';
import { resourceMissing } from '../http/errors.js';
import { listInside } from '../http/listing.js';
import { flag, ignored, integer, required, text } from '../http/params.js';
import type { StoredSubscription } from '../state/records.js';
import { findSubscription } from './subscriptions.js';
import { ITEM_PARAMS, PRORATION_PARAMS } from './subscription-params.js';

const CHANGE_PARAMS = {
  ...ITEM_PARAMS,
  ...PRORATION_PARAMS,
  ...ignored('payment_behavior off_session'),
};

/** Subscription items. */
export const subscriptionItemEndpoints = [
  endpoint(
    'post',
    '/v1/subscription_items',
    { ...CHANGE_PARAMS, subscription: required(text()) },
    ({ sim, account, params: { subscription, ...change } }) => {
      const stored = findSubscription({ sim, account, id: subscription });
      const before = new Set(stored.object.items.data.map(({ id }) => id));
      const { data } = applyChange(sim, stored, [change], change).object.items;
      return data.find(({ id }) => !before.has(id)) ?? {};
    },
  ),

  endpoint(
    'get',
    '/v1/subscription_items',
    { subscription: required(text()), limit: integer(1, 100), starting_after: text(), ending_before: text() },
    ({ sim, account, params: { subscription } }) => {
      const { object } = findSubscription({ sim, account, id: subscription });
      return listInside('/v1/subscription_items', object.items.data);
    },
  ),

  endpoint('get', '/v1/subscription_items/:id', {}, (call) => {
    return findItem(call).object.items.data.find(({ id }) => id === call.id) ?? {};
  }),

  endpoint('post', '/v1/subscription_items/:id', CHANGE_PARAMS, (call) => {
    const { data } = applyChange(call.sim, findItem(call), [{ ...call.params, id: call.id }], call.params)
      .object.items;
    return data.find(({ id }) => id === call.id) ?? {};
  }),

  endpoint(
    'delete',
    '/v1/subscription_items/:id',
    { ...PRORATION_PARAMS, clear_usage: flag(), ...ignored('payment_behavior') },
    (call) => {
      applyChange(call.sim, findItem(call), [{ id: call.id, deleted: true }], call.params);
      return { id: call.id, object: 'subscription_item', deleted: true };
    },
  ),
];

/** The subscription of an item. */
function findItem({ sim, id, account }: Target): StoredSubscription {
  const found = [...sim.store.subscriptions.values()].find(
    (stored) => stored.account === account && stored.object.items.data.some((item) => item.id === id),
  );
  if (!found) throw resourceMissing('subscription_item', id, 'item');
  return upToDate(sim, found);
}

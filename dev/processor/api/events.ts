import { endpoint } from '../http/endpoint.js';
import { resourceMissing } from '../http/errors.js';
import { LIST_PARAMS, listObjects } from '../http/listing.js';
import { list, text } from '../http/params.js';
import { unixNow, type Simulator } from '../simulator.js';

/** Stripe lists events of the last 30 days. */
const LISTED_SECONDS = 30 * 24 * 60 * 60;

/** Events, as they were sent by webhook. */
export const eventEndpoints = [
  endpoint(
    'get',
    '/v1/events',
    { ...LIST_PARAMS, type: text(), types: list(text(), 20) },
    ({ sim, params: { type, types, ...page }, account }) =>
      listObjects(storedEvents(sim), '/v1/events', account, page, (event) => {
        if (event.created < unixNow() - LISTED_SECONDS || (type && event.type !== type)) return false;
        return !types || types.includes(event.type);
      }),
  ),

  endpoint('get', '/v1/events/:id', {}, ({ sim, id, account }) => {
    const stored = sim.store.events.get(id);
    if (!stored || (stored.event.account ?? null) !== account) throw resourceMissing('event', id, 'id');
    return stored.event;
  }),
];

/** Events as lists need them. Stripe documents their `account` only for events that it sends. */
function storedEvents({ store }: Simulator) {
  return {
    newestFirst: () =>
      store.events.newestFirst().map(({ event: { account, ...object } }) => {
        return { object, account: account ?? null, idempotency_key: null };
      }),
  };
}

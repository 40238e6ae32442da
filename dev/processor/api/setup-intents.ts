import { endpoint } from '../http/endpoint.js';

/** Setup intents: those of sessions in setup mode. */
export const setupIntentEndpoints = [
  endpoint(
    'get',
    '/v1/setup_intents/:id',
    {},
    ({ sim, id, account }) => sim.store.require(sim.store.setup_intents, id, account, 'intent').object,
  ),
];

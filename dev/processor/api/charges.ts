import { resource } from '../http/resource.js';
import { text } from '../http/params.js';
import { availableBalance } from '../payments/available.js';
import { endpoint } from '../http/endpoint.js';

const charges = resource('/v1/charges', (store) => store.charges, 'id');
const disputes = resource('/v1/disputes', (store) => store.disputes, 'dispute');

/** Charges, disputes, and the balance of an account. */
export const chargeEndpoints = [
  charges.list({ customer: text(), payment_intent: text(), transfer_group: text() }),
  charges.search(),
  charges.retrieve(),

  disputes.list({ charge: text(), payment_intent: text() }),
  disputes.retrieve(),

  endpoint('get', '/v1/balance', {}, ({ sim, account }) => availableBalance(sim, account)),
];

import { endpoint } from '../http/endpoint.js';
import { availableBalance } from '../payments/available.js';

/** The balance of an account. */
export const balanceEndpoints = [
  endpoint('get', '/v1/balance', {}, ({ sim, account }) => availableBalance(sim, account)),
];

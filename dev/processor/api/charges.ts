import { endpoint } from '../http/endpoint.js';
import { LIST_PARAMS, listOf, searchOf } from '../http/listing.js';
import { integer, required, text } from '../http/params.js';

/** Charges, disputes and balance transactions. */
export const chargeEndpoints = [
  endpoint(
    'get',
    '/v1/charges',
    { ...LIST_PARAMS, customer: text(), payment_intent: text(), transfer_group: text() },
    ({ sim, params: { customer, payment_intent, transfer_group, ...page }, account }) =>
      listOf(sim.store.charges, '/v1/charges', account, page, (charge) => {
        if (payment_intent && charge.payment_intent !== payment_intent) return false;
        if (transfer_group && charge.transfer_group !== transfer_group) return false;
        return !customer || charge.customer === customer;
      }),
  ),

  endpoint(
    'get',
    '/v1/charges/search',
    { query: required(text()), limit: integer(1, 100), page: text() },
    ({ sim, params, account }) => searchOf(sim.store.charges, '/v1/charges/search', account, params),
  ),

  endpoint(
    'get',
    '/v1/charges/:id',
    {},
    ({ sim, id, account }) => sim.store.require(sim.store.charges, id, account, 'id').object,
  ),

  endpoint(
    'get',
    '/v1/disputes',
    { ...LIST_PARAMS, charge: text(), payment_intent: text() },
    ({ sim, params: { charge, payment_intent, ...page }, account }) =>
      listOf(sim.store.disputes, '/v1/disputes', account, page, (dispute) => {
        if (payment_intent && dispute.payment_intent !== payment_intent) return false;
        return !charge || dispute.charge === charge;
      }),
  ),

  endpoint(
    'get',
    '/v1/disputes/:id',
    {},
    ({ sim, id, account }) => sim.store.require(sim.store.disputes, id, account, 'dispute').object,
  ),

  endpoint(
    'get',
    '/v1/balance_transactions',
    { ...LIST_PARAMS, source: text(), type: text(), currency: text() },
    ({ sim, params: { source, type, currency, ...page }, account }) =>
      listOf(sim.store.balance_transactions, '/v1/balance_transactions', account, page, (entry) => {
        if (source && entry.source !== source) return false;
        if (currency && entry.currency !== currency) return false;
        return !type || entry.type === type;
      }),
  ),

  endpoint(
    'get',
    '/v1/balance_transactions/:id',
    {},
    ({ sim, id, account }) => sim.store.require(sim.store.balance_transactions, id, account, 'id').object,
  ),
];

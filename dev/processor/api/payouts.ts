import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { LIST_PARAMS, listObjects } from '../http/listing.js';
import { currency, integer, metadata, required, text, unsimulated } from '../http/params.js';
import { resource } from '../http/resource.js';
import { createPayout } from '../payments/payout.js';

const payouts = resource('/v1/payouts', (store) => store.payouts, 'payout');
const transactions = resource('/v1/balance_transactions', (store) => store.balance_transactions, 'id');

const CREATE_PARAMS = {
  amount: required(integer(1, 99_999_999)),
  currency: required(currency()),
  metadata: metadata(),
  ...unsimulated('description destination method payout_method source_type statement_descriptor'),
};

const LIST_TRANSACTIONS = {
  ...LIST_PARAMS,
  payout: text(),
  source: text(),
  type: text(),
  currency: text(),
};

/** Payouts to the account's bank, and the balance transactions that they contain. */
export const payoutEndpoints = [
  endpoint('post', '/v1/payouts', CREATE_PARAMS, ({ sim, params, origin }) => {
    const { object } = createPayout(sim, params, origin);
    return object;
  }),
  payouts.list({ status: text(), destination: text() }),
  payouts.retrieve(),
  payouts.update({ metadata: metadata() }),

  // Only the transactions of automatic payouts are known; the payout's own one is among them.
  endpoint('get', '/v1/balance_transactions', LIST_TRANSACTIONS, ({ sim, params, account }) => {
    const { payout, ...page } = params;
    const { store } = sim;
    if (payout && !store.require(store.payouts, payout, account, 'payout').object.automatic) {
      throw invalidRequest(
        'Balance transaction history can only be filtered on automatic transfers, not manual.',
        'payout',
      );
    }
    return listObjects(
      store.balance_transactions,
      '/v1/balance_transactions',
      account,
      page,
      (object) =>
        (!payout || store.balance_transactions.get(object.id)?.payout === payout) &&
        (!params.source || object.source === params.source) &&
        (!params.type || object.type === params.type) &&
        (!params.currency || object.currency === params.currency),
    );
  }),
  transactions.retrieve(),
];

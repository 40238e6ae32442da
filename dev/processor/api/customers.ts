import { emit } from '../events.js';
import { endpoint, type Target } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { LIST_PARAMS, listOf } from '../http/listing.js';
import { ignored, metadata, text, unsimulated } from '../http/params.js';
import { createCustomer } from '../payments/customer.js';
import { mergeMetadata } from './metadata.js';

const CUSTOMER_PARAMS = {
  email: text(800),
  name: text(256),
  description: text(),
  phone: text(20),
  metadata: metadata(),
  ...ignored(`
    address business_name individual_name invoice_settings preferred_locales shipping invoice_prefix
    next_invoice_sequence tax tax_exempt
  `),
  ...unsimulated('balance cash_balance source'),
};

const METHOD_PARAMS = { ...LIST_PARAMS, type: text(), allow_redisplay: text() };

/** Customers and saved cards. */
export const customerEndpoints = [
  endpoint(
    'post',
    '/v1/customers',
    { ...CUSTOMER_PARAMS, ...unsimulated('payment_method tax_id_data test_clock') },
    ({ sim, params, account, idempotencyKey }) =>
      createCustomer(sim, params, { account, idempotency_key: idempotencyKey }),
  ),

  endpoint(
    'get',
    '/v1/customers',
    { ...LIST_PARAMS, email: text() },
    ({ sim, params: { email, ...page }, account }) =>
      listOf(
        sim.store.customers,
        '/v1/customers',
        account,
        page,
        (customer) => !email || customer.email === email,
      ),
  ),

  endpoint('get', '/v1/customers/:id', {}, (call) => find(call).object),

  endpoint('post', '/v1/customers/:id', CUSTOMER_PARAMS, (call) => {
    const customer = find(call);
    const { email, name, description, phone } = call.params;
    return call.sim.store.patch(call.sim.store.customers, customer, {
      ...(email && { email }),
      ...(name && { name }),
      ...(description && { description }),
      ...(phone && { phone }),
      metadata: mergeMetadata(customer.object.metadata, call.params.metadata),
    }).object;
  }),

  endpoint('get', '/v1/customers/:id/payment_methods', METHOD_PARAMS, (call) => {
    const { sim, id, account, params } = call;
    const { type, allow_redisplay: _, ...page } = params;
    find(call);
    return listOf(
      sim.store.payment_methods,
      `/v1/customers/${id}/payment_methods`,
      account,
      page,
      (method) => {
        return method.customer === id && (!type || method.type === type);
      },
    );
  }),

  endpoint(
    'get',
    '/v1/payment_methods',
    { ...METHOD_PARAMS, customer: text() },
    ({ sim, account, params }) => {
      const { customer, type, allow_redisplay: _, ...page } = params;
      return listOf(sim.store.payment_methods, '/v1/payment_methods', account, page, (method) => {
        return (!customer || method.customer === customer) && (!type || method.type === type);
      });
    },
  ),

  endpoint(
    'get',
    '/v1/payment_methods/:id',
    {},
    ({ sim, id, account }) =>
      sim.store.require(sim.store.payment_methods, id, account, 'payment_method').object,
  ),

  endpoint('post', '/v1/payment_methods/:id/detach', {}, ({ sim, id, account, origin }) => {
    const { store } = sim;
    const method = store.require(store.payment_methods, id, account, 'payment_method');
    const { customer } = method.object;
    if (!customer)
      throw invalidRequest(
        'The payment method you provided is not attached to a customer so detachment is impossible.',
      );
    const { object } = store.patch(store.payment_methods, method, { customer: null });
    emit(store, 'payment_method.detached', object, origin, { customer });
    return object;
  }),
];

function find({ sim, id, account }: Target) {
  return sim.store.require(sim.store.customers, id, account, 'customer');
}

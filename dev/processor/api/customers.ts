import { emit } from '../events.js';
import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { LIST_PARAMS, listObjects } from '../http/listing.js';
import { ignored, metadata, text, unsimulated } from '../http/params.js';
import { resource } from '../http/resource.js';
import { createCustomer } from '../payments/customer.js';

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

const customers = resource('/v1/customers', (store) => store.customers, 'customer');
const methods = resource('/v1/payment_methods', (store) => store.payment_methods, 'payment_method');
const METHOD_PARAMS = { ...LIST_PARAMS, type: text(), allow_redisplay: text() };

/** Customers and saved cards. */
export const customerEndpoints = [
  endpoint(
    'post',
    '/v1/customers',
    { ...CUSTOMER_PARAMS, ...unsimulated('payment_method tax_id_data test_clock') },
    ({ sim, params, origin }) => createCustomer(sim, params, origin),
  ),

  customers.list({ email: text() }),
  customers.retrieve(),
  customers.update(CUSTOMER_PARAMS, ['email', 'name', 'description', 'phone']),

  endpoint('get', '/v1/customers/:id/payment_methods', METHOD_PARAMS, (call) => {
    const { sim, id, account, params } = call;
    const { type, allow_redisplay: _, ...page } = params;
    customers.find(call);
    return listObjects(
      sim.store.payment_methods,
      `/v1/customers/${id}/payment_methods`,
      account,
      page,
      (method) => {
        return method.customer === id && (!type || method.type === type);
      },
    );
  }),

  methods.list({ customer: text(), type: text() }, { params: { allow_redisplay: text() } }),
  methods.retrieve(),

  endpoint('post', '/v1/payment_methods/:id/detach', {}, ({ sim, id, account, origin }) => {
    const { store } = sim;
    const method = methods.find({ sim, id, account });
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

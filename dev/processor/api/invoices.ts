import { previewInvoice } from '../billing/subscription.js';
import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { LIST_PARAMS, listOf } from '../http/listing.js';
import { currency, ignored, list, object, oneOf, required, text, unsimulated } from '../http/params.js';
import { findSubscription } from './subscriptions.js';
import { ITEM_CHANGE_PARAMS, PRORATION_PARAMS } from './subscription-params.js';

const DETAILS_PARAMS = {
  ...PRORATION_PARAMS,
  items: list(object(ITEM_CHANGE_PARAMS), 20),
  billing_cycle_anchor: oneOf('unchanged'),
  ...ignored('billing_mode metadata'),
  ...unsimulated(`
    billing_schedules cancel_at cancel_at_period_end cancel_now default_tax_rates resume_at start_date
    trial_end
  `),
};

/** The processor's own invoices: previews of subscription changes, and invoices of past ones. */
export const invoiceEndpoints = [
  endpoint(
    'post',
    '/v1/invoices/create_preview',
    {
      subscription: required(text()),
      subscription_details: object(DETAILS_PARAMS),
      customer: text(),
      currency: currency(),
      preview_mode: oneOf('next'),
      ...unsimulated(`
        automatic_tax customer_account customer_details discounts invoice_items issuer on_behalf_of schedule
        schedule_details
      `),
    },
    ({ sim, account, params: { subscription, subscription_details: details, customer } }) => {
      const stored = findSubscription({ sim, account, id: subscription });
      if (customer && stored.object.customer !== customer) {
        throw invalidRequest(
          `The subscription ${subscription} does not belong to the customer ${customer}.`,
          {
            param: 'customer',
          },
        );
      }
      return previewInvoice(sim, stored, details?.items ?? [], details ?? {});
    },
  ),

  endpoint(
    'get',
    '/v1/invoices',
    {
      ...LIST_PARAMS,
      customer: text(),
      subscription: text(),
      status: oneOf('draft', 'open', 'paid', 'void'),
    },
    ({ sim, params: { customer, subscription, status, ...page }, account }) =>
      listOf(sim.store.invoices, '/v1/invoices', account, page, (invoice) => {
        if (customer && invoice.customer !== customer) return false;
        if (subscription && invoice.parent?.subscription_details?.subscription !== subscription) return false;
        return !status || invoice.status === status;
      }),
  ),

  endpoint(
    'get',
    '/v1/invoices/:id',
    {},
    ({ sim, id, account }) => sim.store.require(sim.store.invoices, id, account, 'invoice').object,
  ),
];

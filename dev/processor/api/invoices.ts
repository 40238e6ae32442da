import { previewInvoice } from '../billing/subscription.js';
import { endpoint } from '../http/endpoint.js';
import { invalidRequest } from '../http/errors.js';
import { currency, ignored, list, object, oneOf, required, text, unsimulated } from '../http/params.js';
import { resource } from '../http/resource.js';
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

const invoices = resource('/v1/invoices', (store) => store.invoices, 'invoice');

/** The processor's own invoices: previews of subscription changes, and invoices for past ones. */
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
          'customer',
        );
      }
      return previewInvoice(sim, stored, details?.items ?? [], details ?? {});
    },
  ),

  invoices.list(
    { customer: text(), status: oneOf('draft', 'open', 'paid', 'void') },
    {
      params: { subscription: text() },
      matches: ({ parent }, { subscription }) =>
        !subscription || parent?.subscription_details?.subscription === subscription,
    },
  ),
  invoices.retrieve(),
];

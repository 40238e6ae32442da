import type { Endpoint } from '../http/endpoint.js';
import { accountEndpoints } from './accounts.js';
import { catalogEndpoints } from './catalog.js';
import { chargeEndpoints } from './charges.js';
import { customerEndpoints } from './customers.js';
import { eventEndpoints } from './events.js';
import { invoiceEndpoints } from './invoices.js';
import { payoutEndpoints } from './payouts.js';
import { paymentIntentEndpoints } from './payment-intents.js';
import { refundEndpoints } from './refunds.js';
import { sessionEndpoints } from './sessions.js';
import { subscriptionItemEndpoints } from './subscription-items.js';
import { subscriptionEndpoints } from './subscriptions.js';
import { webhookEndpointEndpoints } from './webhook-endpoints.js';

/** All simulated methods of Stripe's API. */
export const endpoints: Endpoint[] = [
  ...sessionEndpoints,
  ...paymentIntentEndpoints,
  ...chargeEndpoints,
  ...refundEndpoints,
  ...payoutEndpoints,
  ...customerEndpoints,
  ...accountEndpoints,
  ...eventEndpoints,
  ...catalogEndpoints,
  ...subscriptionEndpoints,
  ...subscriptionItemEndpoints,
  ...invoiceEndpoints,
  ...webhookEndpointEndpoints,
];

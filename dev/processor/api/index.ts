import type { Endpoint } from '../http/endpoint.js';
import { accountEndpoints } from './accounts.js';
import { chargeEndpoints } from './charges.js';
import { customerEndpoints } from './customers.js';
import { eventEndpoints } from './events.js';
import { paymentIntentEndpoints } from './payment-intents.js';
import { refundEndpoints } from './refunds.js';
import { sessionEndpoints } from './sessions.js';

/** Every call of Stripe's API that is simulated. */
export const endpoints: Endpoint[] = [
  ...sessionEndpoints,
  ...paymentIntentEndpoints,
  ...chargeEndpoints,
  ...refundEndpoints,
  ...customerEndpoints,
  ...accountEndpoints,
  ...eventEndpoints,
];

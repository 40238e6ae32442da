import type { Endpoint } from '../http/endpoint.js';
import { contactEndpoints } from './contacts.js';
import { documentEndpoints } from './documents.js';
import { paymentEndpoints } from './payments.js';
import { settingsEndpoints } from './settings.js';

/** All simulated methods of Xero's accounting API. */
export const endpoints: Endpoint[] = [
  ...settingsEndpoints,
  ...contactEndpoints,
  ...documentEndpoints,
  ...paymentEndpoints,
];

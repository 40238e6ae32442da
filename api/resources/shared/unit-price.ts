import { MAX_AMOUNT_MINOR } from '../../../domain/money.js';
import { currency } from '../../http/fields.js';
import { integer, object } from '../../http/typed.js';

/** The price of an hour of a room, or of an extra, in requests. */
export const priceSent = object(
  {
    currency: currency.description('The ISO 4217 code of the currency.'),
    amount_minor: integer
      .min(0)
      .max(MAX_AMOUNT_MINOR)
      .description('The amount in minor units of the currency.'),
  },
  'currency',
  'amount_minor',
).meta({ component: 'Money' });

import joi from 'joi';
import { MAX_PAYMENT_DAYS } from '../../domain/payer.js';
import * as s from './shapes.js';

/** The fields of requests about a payer's terms. */
export const paymentTerms = {
  payment_terms: joi
    .number()
    .integer()
    .min(0)
    .max(MAX_PAYMENT_DAYS)
    .allow(null)
    .description('Days to pay what is booked on account. Null: nothing can be booked on account.'),
  credit_limit_minor: joi
    .number()
    .integer()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .allow(null)
    .description(
      'The most that may be unpaid, in minor units, with another booking on account. Null: no limit.',
    ),
};
export const autopay = joi.boolean().description('Whether due invoices are charged to the card on file.');

/** The fields of a payer as `presentPayer` returns them. */
export const payerShape = {
  payment_terms: s.count.allow(null).description('Days to pay what is booked on account.'),
  credit_limit_minor: s.minor.allow(null),
  autopay: joi.boolean().description('Whether due invoices are charged to the card on file.'),
  card: s
    .orNull(
      s.shape({
        brand: s.anyText,
        last4: s.anyText,
        exp: joi.string().pattern(/^\d{4}-\d{2}$/),
      }),
    )
    .description('The card on file.'),
};

/** The page on which a card is put on file. */
export const cardSetup = s.shape({ url: s.anyText, expires_at: s.instant });

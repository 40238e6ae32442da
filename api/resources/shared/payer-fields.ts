import joi from 'joi';
import { MAX_PAYMENT_DAYS } from '../../../domain/payer.js';
import { exampleInstant } from './examples.js';
import * as s from './shapes.js';

/** The fields of requests about a payer's terms. */
export const paymentTerms = {
  payment_terms: joi
    .number()
    .integer()
    .min(0)
    .max(MAX_PAYMENT_DAYS)
    .allow(null)
    .description(
      'The number of days until bookings on account are due. Null if bookings on account are not allowed.',
    ),
  credit_limit_minor: joi
    .number()
    .integer()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .allow(null)
    .description(
      'The maximum unpaid amount, including the new booking on account, in minor units. Null for no limit.',
    ),
  monthly_statement: joi
    .boolean()
    .description(
      'Whether a statement of open invoices, payments and credits is emailed on the first of each month. Requires `payment_terms`.',
    ),
};
export const autopay = joi.boolean().description('Whether due invoices are charged to the card on file.');

/** The fields of a payer as `presentPayer` returns them. */
export const payerShape = {
  payment_terms: s.count.allow(null).description('The number of days until bookings on account are due.'),
  credit_limit_minor: s.minor
    .allow(null)
    .description('The maximum unpaid amount on account, in minor units. Null for no limit.'),
  monthly_statement: joi.boolean().description('Whether a statement is emailed on the first of each month.'),
  autopay: joi.boolean().description('Whether due invoices are charged to the card on file.'),
  card: s
    .orNull(
      s.shape({
        brand: s.anyText.description('The brand of the card, such as `visa`.'),
        last4: s.anyText.description('The last four digits.'),
        exp: joi
          .string()
          .pattern(/^\d{4}-\d{2}$/)
          .description('The month in which the card expires, `YYYY-MM`.'),
      }),
    )
    .description('The card on file.'),
};

/** The page on which a card is put on file. */
export const cardSetup = s.shape({
  url: s.anyText.description('The URL of the hosted page where the payer enters a card.'),
  expires_at: s.instant.description('The time at which the page expires.'),
});

export const EXAMPLE_CARD_SETUP = {
  url: 'https://checkout.example.com/setup/cs_g7h8i9',
  expires_at: exampleInstant(1, 12),
};

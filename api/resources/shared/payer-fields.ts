import { MAX_PAYMENT_DAYS } from '../../../domain/invoices/payer.js';
import { boolean, integer, nullable, string, type Infer } from '../../http/typed.js';
import { exampleInstant } from './examples.js';
import { field, splitSides } from './field.js';
import * as s from './shapes.js';

/** The terms of a payer, which companies and members have (docs/rules/billing.md#payers). */
export const payer = splitSides({
  payment_terms: field(
    nullable(integer.min(0).max(MAX_PAYMENT_DAYS)),
    'The number of days until bookings on account are due. Null if bookings on account are not allowed.',
  ),
  credit_limit_minor: field(
    nullable(integer.min(0).max(Number.MAX_SAFE_INTEGER)),
    'The maximum unpaid amount, including the new booking on account, in minor units of the ' +
      'currency of the workspace. Null for no limit. With a limit, bookings on account in another ' +
      'currency are rejected.',
    { read: nullable(s.minor) },
  ),
  monthly_statement: field(
    boolean,
    'Whether a statement of open invoices, payments and credits is emailed on the first of each month. ' +
      'Requires `payment_terms`.',
  ),
  autopay: field(boolean, 'Whether due invoices are charged to the card on file.'),
});

/** The card of a payer in responses. */
export const card = s
  .orNull(
    s.shape('Card', {
      brand: s.anyText.description('The brand of the card, such as `visa`.'),
      last4: s.anyText.description('The last four digits.'),
      exp: string.pattern(/^\d{4}-\d{2}$/).description('The month in which the card expires, `YYYY-MM`.'),
    }),
  )
  .description('The card on file.');

export type Card = NonNullable<Infer<typeof card>>;

export const cardSetup = s.shape('CardSetup', {
  url: s.anyText.description('The URL of the hosted page where the payer enters a card.'),
  expires_at: s.instant.description('The time at which the page expires.'),
});

export const EXAMPLE_CARD_SETUP = {
  url: 'https://checkout.example.com/setup/cs_g7h8i9',
  expires_at: exampleInstant(1, 12),
};

import { calendarMonth, type Day } from '../cycle.js';
import { invalidField } from '../errors.js';
import type { PayerFacts } from './payer-presenter.js';

/** The maximum number of days that a payer has to pay. */
export const MAX_PAYMENT_DAYS = 365;

/** The fields of a payer that `PATCH` changes. */
export type PayerChanges = Partial<Pick<PayerFacts, 'payment_terms' | 'credit_limit_minor' | 'autopay'>> & {
  monthly_statement?: boolean;
};

/**
 * Returns the day of the next monthly statement after a change (docs/rules/billing.md#monthly-statements). A
 * payer's first statement is mailed on the first of the next month. Null if the payer gets no statements or
 * has no payment terms. Errors: 422 `validation_failed` for a statement without payment terms.
 */
export function nextStatementAfter(
  { monthly_statement, payment_terms }: PayerChanges,
  payer: Pick<PayerFacts, 'payment_terms' | 'next_statement_on'>,
  today: Day,
): Day | null {
  const terms = payment_terms === undefined ? payer.payment_terms : payment_terms;
  if (monthly_statement && terms === null)
    throw invalidField(
      'monthly_statement',
      'requires {payment_terms}: statements are sent only to payers who book on account',
    );
  if (terms === null || monthly_statement === false) return null;
  return payer.next_statement_on ?? (monthly_statement ? calendarMonth(today).end : null);
}

/** Errors: 422 `validation_failed` for `autopay` without a card on file. */
export function assertAutopay({ autopay }: PayerChanges, { card }: Pick<PayerFacts, 'card'>): void {
  if (!autopay || card) return;
  throw invalidField('autopay', 'requires a card on file. Set up a card first');
}

import { ApiError } from './errors.js';
import type { PayerFacts } from './presenters/payer.js';

/** The most days that a payer can have to pay. */
export const MAX_PAYMENT_DAYS = 365;

/** The fields of a payer that `PATCH` changes. */
export type PayerChanges = Partial<Pick<PayerFacts, 'payment_terms' | 'credit_limit_minor' | 'autopay'>>;

/** Errors: 422 `validation_failed` for `autopay` without a card on file. */
export function assertAutopay({ autopay }: PayerChanges, { card }: Pick<PayerFacts, 'card'>): void {
  if (!autopay || card) return;
  throw new ApiError(
    'validation_failed',
    'autopay requires a card on file. Put one on file with card-setup first.',
    {
      param: 'autopay',
    },
  );
}

import { formatMoney } from '../display.js';
import type { Refusal } from '../errors.js';
import type { Money } from '../money.js';

/** What a payer owes and may owe, in minor units of the currency of the new amount. */
export interface Credit {
  unpaid_minor: number;
  /** Null if there is no limit. */
  limit_minor: number | null;
  /** The workspace's currency. */
  limit_currency: string;
  /** The new amount, or an unpaid one, is in another currency than the limit, so they cannot be compared. */
  is_mixed: boolean;
  /** An invoice is overdue and the workspace refuses payers with overdue invoices. */
  is_refused: boolean;
}

/**
 * Returns why a booker cannot book on account, or null: they are a guest (`payer` is null), or their payer
 * has no payment terms.
 */
export function whyNotOnAccount(
  payer: { payment_terms: number | null } | null,
): Refusal<{ reason: 'guest' | 'no_terms' }> | null {
  if (payer && payer.payment_terms !== null) return null;
  return {
    code: 'validation_failed',
    message: payer
      ? 'on_account requires payment_terms on the member or their company.'
      : 'on_account requires a member. Guests pay on the payment page.',
    details: { reason: payer ? 'no_terms' : 'guest' },
    param: 'settle',
  };
}

/** Returns how much more a payer may owe, in minor units; null without a limit. */
export const availableMinor = ({ unpaid_minor, limit_minor, is_mixed }: Credit): number | null => {
  if (limit_minor === null) return null;
  return is_mixed ? 0 : Math.max(0, limit_minor - unpaid_minor);
};

/** Returns why a payer may not owe another amount, or null (docs/rules/bookings.md#on-account). */
export function whyNotOwe(
  credit: Credit,
  { amount_minor, currency }: Money,
): Refusal<{ reason: 'overdue' | 'currency' | 'limit'; available_minor: number }> | null {
  const code = 'credit_limit_exceeded';
  if (credit.is_refused) {
    const message =
      'An invoice of this payer is still unpaid 7 days after its due date. The payer cannot book on ' +
      'account until it is paid.';
    return { code, message, details: { available_minor: 0, reason: 'overdue' } };
  }
  const { unpaid_minor, limit_minor, limit_currency, is_mixed } = credit;
  if (limit_minor !== null && is_mixed) {
    const message =
      `The credit limit of this payer is in ${limit_currency}. The payer cannot book on account in ` +
      'another currency, or while an invoice in another currency is unpaid.';
    return { code, message, details: { available_minor: 0, reason: 'currency' } };
  }
  if (limit_minor === null || unpaid_minor + amount_minor <= limit_minor) return null;
  const available_minor = availableMinor(credit)!;
  const amount = (minor: number): string => formatMoney({ amount_minor: minor, currency });
  const message =
    `This booking exceeds the credit limit of its payer: ${amount(available_minor)} of ` +
    `${amount(limit_minor)} is available.`;
  return { code, message, details: { available_minor, reason: 'limit' } };
}

import { formatMoney } from './display.js';
import type { Refusal } from './errors.js';
import type { Money } from './money.js';

/** What a payer owes, in minor units, and may owe. */
export interface Credit {
  unpaid_minor: number;
  /** Null without a limit. */
  limit_minor: number | null;
  /** True if an invoice is overdue and the workspace refuses such payers. */
  is_refused: boolean;
}

/** Why a booker cannot book on account: they are a guest (null), or their payer has no payment terms. */
export function whyNotOnAccount(
  payer: { payment_terms: number | null } | null,
): Refusal<{ reason: 'guest' | 'no_terms' }> | null {
  if (payer && payer.payment_terms !== null) return null;
  return {
    code: 'validation_failed',
    message: payer
      ? 'on_account requires payment_terms on the member, or on their company.'
      : 'on_account requires a member: guests pay at a checkout.',
    details: { reason: payer ? 'no_terms' : 'guest' },
    param: 'settle',
  };
}

/** What a payer may still owe, in minor units; null without a limit. */
export const availableMinor = ({ unpaid_minor, limit_minor }: Credit): number | null =>
  limit_minor === null ? null : Math.max(0, limit_minor - unpaid_minor);

/** Why a payer may not owe another amount (docs/rules/bookings.md#on-account). */
export function whyNotOwe(
  credit: Credit,
  { amount_minor, currency }: Money,
): Refusal<{ reason: 'overdue' | 'limit'; available_minor: number }> | null {
  const code = 'credit_limit_exceeded';
  if (credit.is_refused) {
    const message = 'An invoice of this payer is overdue. Nothing can be booked on account until it is paid.';
    return { code, message, details: { available_minor: 0, reason: 'overdue' } };
  }
  const { unpaid_minor, limit_minor } = credit;
  if (limit_minor === null || unpaid_minor + amount_minor <= limit_minor) return null;
  const available_minor = availableMinor(credit)!;
  const amount = (minor: number): string => formatMoney({ amount_minor: minor, currency });
  const message = `This booking exceeds the credit limit of its payer. ${amount(available_minor)} of ${amount(limit_minor)} is available.`;
  return { code, message, details: { available_minor, reason: 'limit' } };
}

/** What the payment processor refuses, as the codes, messages and details that clients get. */
import { formatMoney } from '../display.js';
import { ApiError, type ErrorContext, type Refusal } from '../errors.js';
import type { Money } from '../money.js';
import { maximumCharge, minimumCharge, smallestUnit } from './amounts.js';
import type { ProcessorStatus } from '../states.js';

/** Why the processor did not open a hosted page. */
export type ProcessorRefusalCode = 'amount_too_small' | 'processor_error' | 'processor_unconfigured';

/**
 * The `details.reason` of a 502 `processor_error` if a page was not opened, so nothing can have been paid on
 * it.
 */
export const NOT_OPENED = 'not_opened';

/** What each code means if the processor did not open a page. Its account may have been active until then. */
export const PAGE_NOT_OPENED: Record<ProcessorRefusalCode, string> = {
  amount_too_small:
    "The amount is below the payment processor's minimum charge in the currency of the workspace's " +
    'account.',
  processor_error: 'The payment processor could not open the page. Try again.',
  processor_unconfigured:
    'The payment processor rejects payments to this workspace. Check the status of its ' +
    'account with the processor.',
};

/**
 * Returns the error if the processor did not open a page. `amount`: what was to be paid on it. `consequence`:
 * a sentence about what did not happen because of it.
 */
export function pageNotOpened(
  code: ProcessorRefusalCode,
  { amount, consequence }: { amount?: Money; consequence?: string } = {},
): ApiError {
  const details: Record<ProcessorRefusalCode, ErrorContext['details']> = {
    amount_too_small: amount && minimumDetails(amount),
    processor_error: { reason: NOT_OPENED },
    processor_unconfigured: { ...NO_ACCOUNT.details },
  };
  const message = [consequence, PAGE_NOT_OPENED[code]].filter(Boolean).join(' ');
  return new ApiError(code, message, { details: details[code] });
}

/** 502 `processor_error` for a charge whose outcome is not known yet. */
export const chargeUnknown = (): ApiError =>
  new ApiError(
    'processor_error',
    'The payment processor has not yet confirmed whether the card was charged. Both slots are held ' +
      'until it does; the change is then applied or discarded. Get the booking to see the result, and ' +
      'do not repeat this request.',
  );

/** 502 `processor_error` for a change whose hosted page is not open yet. No card is charged for it. */
export const pageNotYetOpen = (): ApiError =>
  new ApiError(
    'processor_error',
    'The payment processor has not yet opened the page where the payer pays the difference. Both ' +
      'slots are held in the meantime. Get the pending change of the booking, and do not repeat this ' +
      'request.',
  );

const RECOVERY_RETRY_MS = 30_000;

const NO_ACCOUNT: Refusal = {
  code: 'processor_unconfigured',
  message: 'This workspace cannot take payments yet. Complete onboarding with the payment processor first.',
  details: { reason: 'processor_account' },
};

/** Returns why a workspace cannot take payments, or null: it has no working account at the processor. */
export const whyNotTakePayments = ({
  processor_account_id,
  processor_status,
}: {
  processor_account_id: string | null;
  processor_status: ProcessorStatus;
}): Refusal | null => (processor_account_id && processor_status === 'active' ? null : NO_ACCOUNT);

/**
 * Returns why payments are paused, or null: the database may lack what happened on the account after a time,
 * and this is being read (docs/internals/recovery.md#paused-payments).
 */
export const whyNotMoveMoney = ({
  recovering_since,
}: {
  recovering_since: Date | string | null;
}): Refusal | null =>
  recovering_since
    ? {
        code: 'service_unavailable',
        message:
          'Payments are paused until the account at the payment processor has been read again. Try ' +
          'again later, with the same idempotency key if you sent one.',
        details: { reason: 'recovering' },
        retry_after_ms: RECOVERY_RETRY_MS,
      }
    : null;

/** Returns why a workspace cannot start anything that needs a payment now, or null. */
export const whyNotTakePaymentsNow = (
  workspace: Parameters<typeof whyNotTakePayments>[0] & Parameters<typeof whyNotMoveMoney>[0],
): Refusal | null => whyNotTakePayments(workspace) ?? whyNotMoveMoney(workspace);

/**
 * Returns which limit of the processor an amount breaks, with the limit in minor units; null if it can be
 * charged.
 */
export function whyNotCharge({
  amount_minor,
  currency,
}: Money): { bound: 'minimum' | 'maximum' | 'step'; minor: number } | null {
  const [minimum, maximum] = [minimumCharge(currency), maximumCharge(currency)];
  if (amount_minor < minimum) return { bound: 'minimum', minor: minimum };
  if (amount_minor > maximum) return { bound: 'maximum', minor: maximum };
  const step = smallestUnit(currency);
  return amount_minor % step === 0 ? null : { bound: 'step', minor: step };
}

/**
 * Refuses an amount that the processor would refuse to charge. Errors: 422 `amount_too_small` below the
 * minimum charge, 422 `validation_failed` above the maximum or if it is not a multiple of the smallest unit.
 */
export function assertChargeable(money: Money, param?: string): void {
  const { amount_minor, currency } = money;
  const refusal = whyNotCharge(money);
  if (!refusal) return;
  const shown = (minor: number): string => formatMoney({ amount_minor: minor, currency });
  const bound = shown(refusal.minor);
  if (refusal.bound === 'minimum') {
    throw new ApiError(
      'amount_too_small',
      `${shown(amount_minor)} is below the payment processor's minimum charge of ${bound}.`,
      { details: minimumDetails(money) },
    );
  }
  const message =
    refusal.bound === 'maximum'
      ? `${shown(amount_minor)} exceeds the maximum payment of ${bound}.`
      : `An amount in ${currency} must be a multiple of ${bound}.`;
  throw new ApiError('validation_failed', message, { param });
}

/**
 * The error details for an amount below the minimum charge. `minimum_minor` is null if only the processor
 * knows the minimum.
 */
const minimumDetails = ({ amount_minor, currency }: Money) => ({
  amount_minor,
  currency,
  minimum_minor: minimumCharge(currency) || null,
});

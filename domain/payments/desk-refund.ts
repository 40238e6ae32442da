import {
  planRefund,
  refundedPercents,
  waivedMinor,
  type CancellableBooking,
  type CancellationRefund,
  type RefundableFacts,
} from '../bookings/cancellation.js';
import { formatMoney } from '../display.js';
import type { Refusal } from '../errors.js';
import type { InvoiceLine } from '../invoices/invoice.js';
import { can, type Role } from '../policies.js';
import type { RefundChoice } from '../bookings/refund-policy.js';

/**
 * The settings of a workspace that limit refunds by the front desk. `currency` is the currency of the limit.
 */
export interface DeskLimit {
  desk_refund_limit_minor: number;
  currency: string;
}

/** The facts that decide how much the cancellation of a booking returns. */
interface CancellationFacts extends RefundableFacts {
  booking: CancellableBooking & { hour_credits_used: number };
  /** The invoice of a booking on account that is not fully paid; null for any other booking. */
  unpaid: { currency: string; total_minor: number; lines: InvoiceLine[] } | null;
}

/** True if a role may exceed a room's refund terms only up to the workspace's limit. */
export const isLimitedAtDesk = (role: Role): boolean =>
  can(role, 'all_bookings') && !can(role, 'write_billing');

/**
 * Returns what a cancellation refunds. For a booking on account, the amount that is no longer owed counts as
 * refunded.
 */
function computeRefund(facts: CancellationFacts, choice: RefundChoice, now: Date): CancellationRefund {
  const { booking, refund_steps, unpaid } = facts;
  const plan = planRefund(facts, choice, now);
  if (!unpaid) return plan;
  return {
    ...plan,
    refund_minor: waivedMinor(unpaid, refundedPercents(booking, unpaid, refund_steps, choice, now)),
  };
}

/**
 * Returns the maximum that the front desk may refund of a booking; minor units. If the booking is not in the
 * limit's currency, it is what the terms give.
 */
export function deskMaximum(facts: CancellationFacts, limit: DeskLimit, now: Date): number {
  const limit_minor = limit.currency === facts.booking.currency ? limit.desk_refund_limit_minor : 0;
  return Math.max(computeRefund(facts, 'standard', now).refund_minor, limit_minor);
}

/** Describes what the front desk may refund of a booking. */
export const describeDeskLimit = (maximum_minor: number, currency: string): string =>
  'The front desk can refund ' +
  `${maximum_minor > 0 ? `at most ${formatMoney({ amount_minor: maximum_minor, currency })}` : 'nothing'} ` +
  'of this booking. An admin or owner can refund the full amount.';

/**
 * Returns why the front desk cannot cancel with a refund, or null (docs/rules/bookings.md#cancellation): it
 * exceeds both the room's terms and the limit, or it returns hour credits that the terms do not return.
 * Errors: as `planRefund`.
 */
export function whyNotRefundAtDesk(
  facts: CancellationFacts,
  choice: RefundChoice,
  limit: DeskLimit,
  now: Date,
): Refusal<{ reason: 'desk_refund_limit'; refundable_minor: number } | { reason: 'hour_credits' }> | null {
  const code = 'role_insufficient';
  const { currency, hour_credits_used } = facts.booking;
  const value = computeRefund(facts, choice, now);
  const refundable_minor = deskMaximum(facts, limit, now);
  if (value.refund_minor > refundable_minor)
    return {
      code,
      message: describeDeskLimit(refundable_minor, currency),
      details: { reason: 'desk_refund_limit', refundable_minor },
    };
  if (
    hour_credits_used === 0 ||
    !value.returns_credits ||
    computeRefund(facts, 'standard', now).returns_credits
  )
    return null;
  return {
    code,
    message:
      'The refund terms of the room do not return the hour credits of this booking. An admin or owner ' +
      'can return them.',
    details: { reason: 'hour_credits' },
  };
}

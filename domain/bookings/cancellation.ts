import { Decimal } from 'decimal.js';
import { ApiError, refuse, type Refusal } from '../errors.js';
import type { TaxPart } from '../invoices/credited-tax.js';
import { sumTotals, type InvoiceLine } from '../invoices/invoice.js';
import type { Money } from '../money.js';
import { assertRefundableUnit, whyNotRefund } from '../payments/refund.js';
import { can, type Role } from '../policies.js';
import { isTakenOffTogether } from '../discounts/lines.js';
import { extrasIn, type PriceLine } from '../rates/price-lines.js';
import { roundToUnit } from '../processor/amounts.js';
import {
  limitedRefund,
  refundOfCancellation,
  withoutNoise,
  type RefundableBooking,
} from './refund-shares.js';
import {
  refundPercent,
  type Refundable,
  type RefundChoice,
  type RefundPolicy,
  type RefundStep,
} from './refund-policy.js';
import { withTax } from '../invoices/tax.js';
import { BOOKING_TRANSITIONS, canMove, type BookingStatus } from '../states.js';

export interface CancelRequest {
  reason: string | null;
  refund_policy: RefundPolicy;
  /** The amount to refund in place of the policy, in minor units. */
  refund_amount_minor?: number;
  notify_attendees: boolean;
  /**
   * The refund that was shown to the requester, or for a booking on account the amount no longer owed, in
   * minor units. If the actual amount differs, the booking is not cancelled.
   */
  expected_refund_minor?: number;
  /** Limits the refund to what the front desk may give. */
  at_desk?: boolean;
}

/** Returns how much a cancellation is to refund. */
export const toRefundChoice = ({
  refund_policy,
  refund_amount_minor,
}: Pick<CancelRequest, 'refund_policy' | 'refund_amount_minor'>): RefundChoice =>
  refund_amount_minor ?? refund_policy;

/**
 * Returns why a booking cannot be cancelled, or can no longer be cancelled; null if it can
 * (docs/rules/bookings.md#cancellation).
 */
export function whyNotCancel(
  { status, end_at }: { status: BookingStatus; end_at: Date },
  now: Date,
): Refusal<{ reason: 'status'; status: BookingStatus } | { reason: 'ended' }> | null {
  const code = 'booking_not_cancellable';
  if (!canMove(BOOKING_TRANSITIONS.cancel, status))
    return {
      code,
      message: `A booking with status ${status} cannot be cancelled.`,
      details: { reason: 'status', status },
    };
  if (now < end_at) return null;
  const message = 'The booking has ended, so it can no longer be cancelled.';
  return { code, message, details: { reason: 'ended' } };
}

/**
 * Returns why a caller cannot choose the refund, or null: only members who manage all bookings can refund
 * more than the room's terms.
 */
export const whyNotChoose = (choice: RefundChoice, role: Role): Refusal<{ reason: 'role' }> | null =>
  (choice === 'full' || typeof choice === 'number') && !can(role, 'all_bookings')
    ? {
        code: 'role_insufficient',
        message:
          'refund_policy full and refund_amount_minor require the role front_desk, admin or owner. ' +
          'Send refund_policy standard or none.',
        details: { reason: 'role' },
      }
    : null;

/**
 * Returns why a booking on account cannot be cancelled with this refund, or null
 * (docs/rules/bookings.md#on-account): part of its invoice is paid. `percents`: as in `refundedPercents`.
 */
export function whyNotWaive(
  { paid_minor }: { paid_minor: number },
  choice: RefundChoice,
  percents: number[],
): Refusal<{ reason: 'partly_paid' }> | null {
  const refunds = typeof choice === 'number' ? choice > 0 : percents.some((percent) => percent > 0);
  if (paid_minor === 0 || !refunds) return null;
  const message =
    'The invoice of this booking is partly paid. Record the rest of the payment first, then cancel ' +
    'the booking: the refund then follows the refund terms.';
  return { code: 'booking_not_cancellable', message, details: { reason: 'partly_paid' } };
}

/**
 * Throws 409 `booking_not_cancellable` with the reason `refund_changed` if the refund differs from the amount
 * that was shown.
 */
export function assertRefundAsShown(
  { expected_refund_minor: shown }: CancelRequest,
  { refund_minor }: Pick<CancellationRefund, 'refund_minor'>,
): void {
  if (shown === undefined || shown === refund_minor) return;
  const message = 'The refund has changed since it was shown. Check the new amount, then cancel again.';
  throw new ApiError('booking_not_cancellable', message, { details: { reason: 'refund_changed' } });
}

/** What a cancellation refunds, in minor units. */
export interface CancellationRefund {
  refund_minor: number;
  /** The amount that is credited, by tax code. Absent if it does not belong to certain lines. */
  credit?: TaxPart[];
  /** True if the hour credits are also returned. */
  returns_credits: boolean;
}

/** The fields of a booking that decide what its cancellation refunds. */
export interface CancellableBooking extends RefundableBooking {
  status: BookingStatus;
  /**
   * The lowest refund step that applied when the booking was moved. Hour credits are returned only at 100.
   */
  refund_percent_cap: number;
}

/** The facts that decide how much the cancellation of a booking refunds. */
export interface RefundableFacts {
  booking: CancellableBooking;
  /** Its payments, newest first. */
  refundable: Refundable[];
  /** What is left of its documents by tax code; null if it has no documents. */
  left: TaxPart[] | null;
  refund_steps: RefundStep[];
}

/**
 * Returns what a cancellation at `now` refunds (docs/rules/bookings.md#cancellation). Errors: 422
 * `amount_exceeds_refundable` if the amount exceeds what is left of the payments.
 */
export function planRefund(facts: RefundableFacts, choice: RefundChoice, now: Date): CancellationRefund {
  const { booking, refundable, refund_steps: steps } = facts;
  const isUnpaid = booking.status === 'pending_payment';
  const left = isUnpaid ? 0 : refundable.reduce((sum, payment) => sum + payment.refundable_minor, 0);
  if (typeof choice === 'number') {
    if (choice > 0) assertLeft(choice, { amount_minor: left, currency: booking.currency });
    return { refund_minor: choice, returns_credits: isUnpaid || (choice > 0 && choice === left) };
  }
  if (isUnpaid) return { refund_minor: 0, returns_credits: true };
  if (choice === 'full') return { refund_minor: left, returns_credits: true };
  const percent = choice === 'none' ? 0 : refundPercent(steps, booking.start_at.getTime(), now.getTime());
  const returns_credits = Math.min(percent, booking.refund_percent_cap) === 100;
  if (choice === 'none') return { refund_minor: 0, returns_credits };
  const due = refundOfCancellation(booking, steps, now.getTime());
  const { amount_minor: refund_minor, credit } = limitedRefund(due, facts, booking.currency);
  return { refund_minor, credit, returns_credits };
}

/** Throws 422 if the refund exceeds what is left of a booking's payments. */
function assertLeft(amount_minor: number, left: Money): void {
  const refusal = whyNotRefund(amount_minor, left);
  refuse(refusal && { ...refusal, param: 'refund_amount_minor' });
  assertRefundableUnit({ amount_minor, currency: left.currency }, 'refund_amount_minor');
}

/**
 * Returns the percentage of each line of an unpaid invoice on account that its payer no longer owes after a
 * cancellation.
 */
export function refundedPercents(
  booking: CancellableBooking,
  { lines }: { lines: Pick<InvoiceLine, 'net_minor'>[] },
  steps: RefundStep[],
  choice: RefundChoice,
  now: Date,
): number[] {
  if (choice === 'full') return lines.map(() => 100);
  // Nothing has been paid, so no amount can be refunded: everything stays due.
  if (choice === 'none' || typeof choice === 'number') return lines.map(() => 0);
  const { partPercent } = refundOfCancellation(booking, steps, now.getTime());
  const percent = partPercent(null);
  const own = new Map(
    extrasIn(booking)
      .filter(({ refund_steps }) => refund_steps)
      .map(({ extra_id }) => [extra_id, partPercent(extra_id)]),
  );
  const priced = booking.pricing?.lines ?? [];
  const isOfPrice =
    priced.length === lines.length &&
    lines.every(({ net_minor }, index) => net_minor === priced[index]!.net_minor);
  if (!isOfPrice) return lines.map(() => percent);
  const linePercent = ({ extra_id }: PriceLine): number => own.get(extra_id ?? '') ?? percent;
  return priced.map((line) => {
    if (line.kind !== 'discount') return linePercent(line);
    // A code reduces refunded lines and other lines alike.
    const off = priced.filter((each) => each.kind !== 'discount' && isTakenOffTogether(each, line));
    const net = off.reduce((sum, { net_minor }) => sum + net_minor, 0);
    const refunded = off.reduce((sum, each) => sum + each.net_minor * linePercent(each), 0);
    return net === 0 ? percent : refunded / net;
  });
}

/**
 * Returns the lines of an unpaid invoice as they stay due, after a percentage of each is no longer owed. The
 * tax is that of a document with these net amounts, so that it can be charged.
 */
export function keptLines<Line extends Pick<InvoiceLine, 'net_minor' | 'tax_minor' | 'tax_rate_bps'>>(
  { currency, lines }: { currency: string; lines: Line[] },
  percents: number[],
): Line[] {
  if (percents.every((percent) => percent === 0)) return lines;
  const kept = lines.map((line, index) => {
    const exact = new Decimal(100).minus(percents[index]!).mul(line.net_minor).div(100);
    return { ...line, net_minor: roundToUnit(withoutNoise(exact), currency) };
  });
  return withTax(kept, currency);
}

/** Returns the amount of an unpaid invoice that is no longer owed; minor units. */
export const waivedMinor = (
  invoice: { currency: string; total_minor: number; lines: InvoiceLine[] },
  percents: number[],
): number => invoice.total_minor - sumTotals(keptLines(invoice, percents)).total_minor;

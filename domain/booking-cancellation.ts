import { Decimal } from 'decimal.js';
import { ApiError, type Refusal } from './errors.js';
import { totalsOf, type InvoiceLine } from './invoice.js';
import { can, type Role } from './policies.js';
import { taxOn } from './price.js';
import { roundToUnit } from './processor-amounts.js';
import {
  refundBySteps,
  refundPercent,
  type Refundable,
  type RefundPolicy,
  type RefundStep,
} from './refund-policy.js';
import { BOOKING_TRANSITIONS, canMove, type BookingStatus } from './states.js';

/** A requested cancellation. */
export interface CancelRequest {
  reason: string | null;
  refund_policy: RefundPolicy;
  notify_attendees: boolean;
  /**
   * The refund that was shown to the requester, or on account what is no longer owed, in minor units: with another one
   * the booking is not cancelled.
   */
  expected_refund_minor?: number;
}

/** Why a booking cannot be cancelled, or no longer (docs/rules/bookings.md#cancellation). */
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
  const message = 'The booking has ended and can no longer be cancelled.';
  return { code, message, details: { reason: 'ended' } };
}

/** Why a caller cannot choose a refund policy: only who manages all bookings can refund more than the room's terms. */
export const whyNotPolicy = (policy: RefundPolicy, role: Role): Refusal<{ reason: 'role' }> | null =>
  policy === 'full' && !can(role, 'all_bookings')
    ? {
        code: 'role_insufficient',
        message: 'refund_policy full requires the role admin or owner. Send standard or none.',
        details: { reason: 'role' },
      }
    : null;

/**
 * Why `percent` of an unpaid booking on account cannot be waived (docs/rules/bookings.md#on-account): part of its invoice
 * is paid.
 */
export function whyNotWaive(
  { paid_minor }: { paid_minor: number },
  percent: number,
): Refusal<{ reason: 'partly_paid' }> | null {
  if (percent === 0 || paid_minor === 0) return null;
  const message =
    'The invoice of this booking is partly paid. Record the rest, cancel the booking, and the refund follows its steps.';
  return { code: 'booking_not_cancellable', message, details: { reason: 'partly_paid' } };
}

/**
 * Throws 409 `booking_not_cancellable` with reason `refund_changed` if a cancellation refunds another amount than was
 * shown.
 */
export function assertRefundAsShown(
  { expected_refund_minor: shown }: CancelRequest,
  { refund_minor }: Pick<CancellationRefund, 'refund_minor'>,
): void {
  if (shown === undefined || shown === refund_minor) return;
  const message = 'The refund of a cancellation has changed since it was shown.';
  throw new ApiError('booking_not_cancellable', message, { details: { reason: 'refund_changed' } });
}

/** What a cancellation refunds; minor units. */
export interface CancellationRefund {
  refund_minor: number;
  /** The hour credits are returned as well. */
  returns_credits: boolean;
}

/** The fields of a booking that decide what its cancellation refunds. */
export interface CancellableBooking {
  status: BookingStatus;
  start_at: Date;
  currency: string;
  price_minor: number;
  refund_percent_cap: number;
}

/**
 * What cancelling a booking at `now` refunds (docs/rules/bookings.md#cancellation). `refundable`: its payments, newest
 * first; `steps`: the room's.
 */
export function planRefund(
  booking: CancellableBooking,
  refundable: Refundable[],
  steps: RefundStep[],
  policy: RefundPolicy,
  now: Date,
): CancellationRefund {
  if (booking.status === 'pending_payment') return { refund_minor: 0, returns_credits: true };
  if (policy === 'full') {
    const refund_minor = refundable.reduce((sum, payment) => sum + payment.refundable_minor, 0);
    return { refund_minor, returns_credits: true };
  }
  const percent = policy === 'none' ? 0 : refundPercent(steps, booking.start_at.getTime(), now.getTime());
  const price = { amount_minor: booking.price_minor, currency: booking.currency };
  return {
    refund_minor: refundBySteps(refundable, price, percent),
    returns_credits: Math.min(percent, booking.refund_percent_cap) === 100,
  };
}

/** The percentage of an unpaid booking on account that its payer does not owe after a cancellation. */
export function refundedPercent(
  booking: Pick<CancellableBooking, 'start_at' | 'refund_percent_cap'>,
  steps: RefundStep[],
  policy: RefundPolicy,
  now: Date,
): number {
  if (policy === 'full') return 100;
  if (policy === 'none') return 0;
  const percent = refundPercent(steps, booking.start_at.getTime(), now.getTime());
  return Math.min(percent, booking.refund_percent_cap);
}

/**
 * The lines of an unpaid invoice of which `percent` is no longer owed: the share of each that stays, rounded as every
 * line is, so that it can be charged and the accounting system computes the same tax.
 */
export function keptOf<Line extends Pick<InvoiceLine, 'net_minor' | 'tax_minor' | 'tax_rate_bps'>>(
  { currency, lines }: { currency: string; lines: Line[] },
  percent: number,
): Line[] {
  if (percent === 0) return lines;
  return lines.map((line) => {
    const net_minor = roundToUnit(new Decimal(line.net_minor).mul(100 - percent).div(100), currency);
    return { ...line, net_minor, tax_minor: taxOn(net_minor, line.tax_rate_bps, currency) };
  });
}

/** What is no longer owed of an unpaid invoice; minor units. */
export const waivedMinor = (
  invoice: { currency: string; total_minor: number; lines: InvoiceLine[] },
  percent: number,
): number => invoice.total_minor - totalsOf(keptOf(invoice, percent)).total_minor;

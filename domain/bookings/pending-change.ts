import { editableUntil, type ChangeOutcome } from './change.js';
import { ApiError, type Refusal } from '../errors.js';
import { NOT_OPENED, PAGE_NOT_OPENED, type ProcessorRefusalCode } from '../processor/refusals.js';

/** What happens if only the payer can pay a difference: the change fails, or the payer gets a link. */
export const ON_AUTHENTICATION = ['fail', 'link'] as const;
export type OnAuthentication = (typeof ON_AUTHENTICATION)[number];

/** The maximum time that a payer gets to pay for a change, since both slots are held meanwhile. */
const LONGEST_SECONDS = 1_800;

/**
 * Why the card that paid for the booking was not charged. In the first two cases, payers can pay themselves.
 */
export type NotCharged = 'authentication_required' | 'no_card_on_file' | 'declined';

const NOT_CHARGED: Record<NotCharged, string> = {
  authentication_required:
    "The payer's bank requires authentication, so the card that the booking was paid with could not " +
    'be charged. The booking is unchanged. Send on_authentication: link to get a page where the ' +
    'payer can pay.',
  no_card_on_file:
    'The new price is higher, but there is no card on file to which the difference can be charged. ' +
    'Send on_authentication: link to get a page where the payer can pay.',
  declined: 'The card that the booking was paid with could not be charged. The booking is unchanged.',
};

/**
 * 402 `payment_failed` with the reason in its details. `authentication_required` is true if the payer could
 * pay on the hosted page.
 */
export function notCharged(reason: NotCharged): ApiError {
  const details = { reason, authentication_required: reason !== 'declined' };
  return new ApiError('payment_failed', NOT_CHARGED[reason], { details });
}

/**
 * Returns how the difference of a change is paid (docs/rules/bookings.md#paying-the-difference-by-link): not
 * at all, at the desk where it was received, with the card that paid for the booking, or by the payer on the
 * hosted page. Errors: 402 `payment_failed` without a card and without `link`.
 */
export function paymentOfDifference(
  difference_minor: number,
  {
    isTaken,
    hasCard,
    onAuthentication,
  }: { isTaken: boolean; hasCard: boolean; onAuthentication: OnAuthentication },
): 'none' | 'desk' | 'charge' | 'link' {
  if (difference_minor <= 0) return 'none';
  if (isTaken) return 'desk';
  if (hasCard) return 'charge';
  if (onAuthentication === 'link') return 'link';
  throw notCharged('no_card_on_file');
}

/** Returns why a charge was declined, from the processor's code. */
export const notChargedBy = (code: string): NotCharged =>
  code === 'authentication_required' || code === 'no_card_on_file' ? code : 'declined';

/** Returns what follows a declined charge: a link, or the end of the change with the error. */
export function afterRefusedCharge(
  reason: NotCharged,
  onAuthentication: OnAuthentication,
): 'link' | { error: ApiError } {
  if (reason !== 'declined' && onAuthentication === 'link') return 'link';
  return { error: notCharged(reason) };
}

/** A change that is being charged or waits for payment. */
export interface UnsettledChange {
  id: string;
  is_charge: boolean;
  /** Null while it is being charged or its checkout is being opened. */
  expires_at: Date | null;
}

const CHARGING =
  'The difference of an earlier change is still being charged. Wait until that change is ' +
  'applied or discarded.';
const PENDING =
  'An earlier change is awaiting payment. Wait until it is paid or lapses, or withdraw it with ' +
  'DELETE /v1/bookings/{id}/pending-change.';

/** Returns why a booking cannot be changed again, or null: an earlier change is not settled. */
export function whyNotAnotherChange(
  unsettled: UnsettledChange | null,
): Refusal<{ reason: 'charging' | 'pending'; change_id: string; expires_at: string | null }> | null {
  if (!unsettled) return null;
  const { id: change_id, is_charge, expires_at } = unsettled;
  return {
    code: 'change_pending',
    message: is_charge ? CHARGING : PENDING,
    details: {
      reason: is_charge ? 'charging' : 'pending',
      change_id,
      expires_at: expires_at && expires_at.toISOString(),
    },
  };
}

/** Returns a refusal if the booking has no pending change to withdraw. */
export const whyNotWithdraw = (pending: object | null): Refusal | null =>
  pending
    ? null
    : {
        code: 'not_found',
        message: 'This booking has no pending change.',
        details: { reason: 'none_pending' },
      };

/**
 * Returns when a pending change lapses: after the workspace's hold (at most 30 minutes), and never past the
 * edit window of the booked room or `new_end`, the end of the new time in milliseconds. The edit window does
 * not apply to a booking that has begun, which can be lengthened until its end.
 */
export function changeExpiry(pending: {
  now: number;
  hold_seconds: number;
  start_at: Date;
  end_at: Date;
  edit_window_minutes: number;
  new_end: number;
}): Date {
  const paidBy = pending.now + Math.min(pending.hold_seconds, LONGEST_SECONDS) * 1_000;
  const { start_at, end_at, now } = pending;
  const possibleUntil = start_at.getTime() <= now ? end_at.getTime() : editableUntil(pending, pending);
  return new Date(Math.min(paidBy, possibleUntil, pending.new_end));
}

/** Why a pending change was not made. */
export const PENDING_ENDS = ['lapsed', 'withdrawn', 'cancelled', 'over', NOT_OPENED] as const;
export type PendingEnd = (typeof PENDING_ENDS)[number];

const ENDED: Record<PendingEnd, string> = {
  lapsed: 'The change was not paid in time. The booking is unchanged.',
  withdrawn: 'The change was withdrawn before it was paid. The booking is unchanged.',
  cancelled: 'The booking was cancelled before its change was paid.',
  over: 'The booking ended before its change was paid.',
  not_opened: 'The booking is unchanged.',
};

/**
 * Returns the outcome of a pending change that was not made. `code` is why the processor did not open its
 * page.
 */
export const endedBy = (end: PendingEnd, code?: ProcessorRefusalCode): ChangeOutcome => ({
  kind: 'refused',
  code: code ?? 'booking_not_editable',
  message: code ? `${ENDED[end]} ${PAGE_NOT_OPENED[code]}` : ENDED[end],
  context: { details: { reason: end } },
});

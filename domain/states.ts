/**
 * States and transitions as data, per object: docs/rules/bookings.md#states, docs/rules/billing.md#invoice-states,
 * docs/rules/members.md#states.
 */

/** A trigger moves an object from one of these statuses to another. */
export interface Transition<Status> {
  from: readonly Status[];
  to: Status;
}

/** Whether a transition is possible from a status. */
export const canMove = <Status>(transition: Transition<Status>, from: Status): boolean =>
  transition.from.includes(from);

export const BOOKING_STATUSES = [
  'pending_payment',
  'confirmed',
  'cancelled',
  'completed',
  'expired',
] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** The statuses in which a booking holds its slot. */
export const LIVE_BOOKING_STATUSES = ['pending_payment', 'confirmed'] as const satisfies BookingStatus[];
export type EndedBookingStatus = Exclude<BookingStatus, (typeof LIVE_BOOKING_STATUSES)[number]>;

/** Whether a booking does not hold its slot any more. */
export const hasEnded = (status: BookingStatus): status is EndedBookingStatus =>
  !(LIVE_BOOKING_STATUSES as readonly BookingStatus[]).includes(status);

/** By trigger. */
export const BOOKING_TRANSITIONS = {
  confirm: { from: ['pending_payment'], to: 'confirmed' },
  expire: { from: ['pending_payment'], to: 'expired' },
  complete: { from: ['confirmed'], to: 'completed' },
  cancel: { from: ['pending_payment', 'confirmed'], to: 'cancelled' },
} as const satisfies Record<string, Transition<BookingStatus>>;

export const INVOICE_STATUSES = [
  'draft',
  'open',
  'authorised',
  'paid',
  'void',
  'cancelled',
  'refunded',
] as const;
export type InvoiceStatus = (typeof INVOICE_STATUSES)[number];

/** By trigger (docs/rules/billing.md#invoice-states). */
export const INVOICE_TRANSITIONS = {
  /** The daily job has finished a subscription invoice. */
  open: { from: ['draft'], to: 'open' },
  /** Its payer left before it was opened. */
  cancel: { from: ['draft'], to: 'cancelled' },
  /** A bookkeeper has approved it in the accounting system. */
  authorise: { from: ['open'], to: 'authorised' },
  pay: { from: ['open', 'authorised'], to: 'paid' },
  void: { from: ['open', 'authorised'], to: 'void' },
  /** All of its payments have been refunded. */
  refund: { from: ['paid'], to: 'refunded' },
  /** A refund has failed, or more was paid. */
  unrefund: { from: ['refunded'], to: 'paid' },
} as const satisfies Record<string, Transition<InvoiceStatus>>;

export const PAYMENT_STATUSES = [
  'pending',
  'succeeded',
  'failed',
  'partially_refunded',
  'refunded',
  'disputed',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** What a dispute of a payment has come to; `inquiry` is a bank's question that moves no money. */
export const DISPUTE_STATUSES = ['inquiry', 'open', 'won', 'lost', 'prevented'] as const;
export type DisputeStatus = (typeof DISPUTE_STATUSES)[number];

/** True for a dispute that has ended, although a bank can still reopen it. */
export const isDisputeClosed = (status: DisputeStatus): boolean => status !== 'inquiry' && status !== 'open';

/** The layers that can confirm a payment (docs/architecture.md#payment-confirmation). */
export const CONFIRMATION_SOURCES = [
  'success_page',
  'platform_webhook',
  'connect_webhook',
  'scheduler_self_heal',
] as const;
export type ConfirmationSource = (typeof CONFIRMATION_SOURCES)[number];

export const PROCESSOR_STATUSES = ['unconfigured', 'pending', 'active', 'revoked'] as const;
export type ProcessorStatus = (typeof PROCESSOR_STATUSES)[number];

/** `deleted` marks an erased member, which the API never shows. */
export const MEMBER_STATUSES = ['invited', 'active', 'trialing', 'paused', 'cancelled', 'archived'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number] | 'deleted';

/** By trigger (docs/rules/members.md#states). `activate` also applies to a member who had left. */
export const MEMBER_TRANSITIONS = {
  sign_up: { from: ['invited'], to: 'active' },
  activate: { from: ['trialing', 'paused', 'cancelled', 'archived'], to: 'active' },
  pause: { from: ['active', 'trialing'], to: 'paused' },
  cancel: { from: ['active', 'trialing', 'paused'], to: 'cancelled' },
  archive: { from: ['invited', 'active', 'trialing', 'paused', 'cancelled'], to: 'archived' },
} as const satisfies Record<string, Transition<MemberStatus>>;

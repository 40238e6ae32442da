/** States and transitions as data (spec.md, "States and transitions"). */

export const BOOKING_STATUSES = [
  'pending_payment',
  'confirmed',
  'cancelled',
  'completed',
  'expired',
] as const;
export type BookingStatus = (typeof BOOKING_STATUSES)[number];

/** The statuses in which a booking keeps its slot from everyone else (spec.md, rule 8). */
export const LIVE_BOOKING_STATUSES = ['pending_payment', 'confirmed'] as const satisfies BookingStatus[];

/** trigger → the statuses it may start from, and where it leads. Repositories build their conditional updates from it. */
export const BOOKING_TRANSITIONS = {
  confirm: { from: ['pending_payment'], to: 'confirmed' },
  expire: { from: ['pending_payment'], to: 'expired' },
  complete: { from: ['confirmed'], to: 'completed' },
  cancel: { from: ['pending_payment', 'confirmed'], to: 'cancelled' },
} as const satisfies Record<string, { from: readonly BookingStatus[]; to: BookingStatus }>;

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

/** trigger → the statuses it may start from, and where it leads (decisions.md, "Invoices and payments"). */
export const INVOICE_TRANSITIONS = {
  /** The daily job has finished a subscription invoice. */
  open: { from: ['draft'], to: 'open' },
  /** The member left before it was finished. */
  cancel: { from: ['draft'], to: 'cancelled' },
  /** The books say AUTHORISED. */
  authorise: { from: ['open'], to: 'authorised' },
  pay: { from: ['open', 'authorised'], to: 'paid' },
  void: { from: ['open', 'authorised'], to: 'void' },
  /** All of its money has been given back. */
  refund: { from: ['paid'], to: 'refunded' },
  /** The processor could not give the last of it back after all. */
  unrefund: { from: ['refunded'], to: 'paid' },
} as const satisfies Record<string, { from: readonly InvoiceStatus[]; to: InvoiceStatus }>;

export const PAYMENT_STATUSES = [
  'pending',
  'succeeded',
  'failed',
  'partially_refunded',
  'refunded',
  'disputed',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

/** The four layers that can confirm a payment (spec.md, rule 5). */
export const CONFIRMATION_SOURCES = [
  'success_page',
  'platform_webhook',
  'connect_webhook',
  'scheduler_self_heal',
] as const;
export type ConfirmationSource = (typeof CONFIRMATION_SOURCES)[number];

export const PROCESSOR_STATUSES = ['unconfigured', 'pending', 'active', 'revoked'] as const;
export type ProcessorStatus = (typeof PROCESSOR_STATUSES)[number];

/** `deleted` is what is left of an erased member; the API never shows it. */
export const MEMBER_STATUSES = ['invited', 'active', 'trialing', 'paused', 'cancelled', 'archived'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number] | 'deleted';

/**
 * trigger → the statuses it may start from, and where it leads (spec.md, "States and transitions"). `activate` is
 * also the way back of a member who had left.
 */
export const MEMBER_TRANSITIONS = {
  sign_up: { from: ['invited'], to: 'active' },
  activate: { from: ['trialing', 'paused', 'cancelled', 'archived'], to: 'active' },
  pause: { from: ['active', 'trialing'], to: 'paused' },
  cancel: { from: ['active', 'trialing', 'paused'], to: 'cancelled' },
  archive: { from: ['invited', 'active', 'trialing', 'paused', 'cancelled'], to: 'archived' },
} as const satisfies Record<string, { from: readonly MemberStatus[]; to: MemberStatus }>;

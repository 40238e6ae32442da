import type { BookingStatus } from './states.js';

/** Mail to the payer of a booking. */
export type BookingMailKind =
  /** The room is held, with the link to pay. */
  | 'booking_held'
  | 'booking_confirmed'
  /** A change that only the payer can pay, with the link. */
  | 'booking_change_pending'
  | 'booking_changed'
  | 'booking_cancelled'
  | 'booking_expired'
  /** The refund of a payment that came too late to confirm its booking. */
  | 'late_payment_refunded'
  | 'payment_refunded';

/** The mail that says what is true of a booking with a status. */
export const mailAboutStatus: Record<BookingStatus, BookingMailKind> = {
  pending_payment: 'booking_held',
  confirmed: 'booking_confirmed',
  completed: 'booking_confirmed',
  cancelled: 'booking_cancelled',
  expired: 'booking_expired',
};

/** Mail to the payer of an invoice. */
export type InvoiceMailKind =
  /** Sent on request, with the PDF. */
  | 'invoice'
  /** Sent when the invoice is opened. */
  | 'invoice_opened'
  /** A reminder, or news of a refused charge. */
  | 'invoice_reminder'
  /** The receipt of a payment by card. */
  | 'invoice_paid'
  /** An invoice that the payer has got is no longer due. */
  | 'invoice_voided'
  | 'invoice_refunded';

/** Mail to a payer with what is open and what was paid. */
export type StatementMailKind = 'monthly_statement';

/** The mail with which a payer gets an invoice. */
export const INVOICE_SENDING: readonly MailKind[] = ['invoice', 'invoice_opened'];

/** Mail to a person about their account. */
export type AccountMailKind = 'second_factor_enrolled' | 'second_factor_reset' | 'recovery_codes_created';

/** Mail to the owner of a workspace. */
export type OwnerMailKind =
  | 'webhook_endpoint_disabled'
  | 'refund_failed'
  /** A refund waits for balance on the account. */
  | 'refund_unfunded'
  | 'payment_disputed'
  | 'accounting_failed'
  | 'accounting_disconnected'
  | 'reconciliation_differs'
  | 'maintenance_announced'
  /** Somebody else than the owner at the dashboard made a member an admin. */
  | 'admin_added'
  /** Mail to addresses that the workspace has not mailed before waits, since there were too many of them. */
  | 'recipients_limited';

/** Each kind once: a new one does not compile without its line. */
const OWNER_MAIL_KINDS: Record<OwnerMailKind, true> = {
  webhook_endpoint_disabled: true,
  refund_failed: true,
  refund_unfunded: true,
  payment_disputed: true,
  accounting_failed: true,
  accounting_disconnected: true,
  reconciliation_differs: true,
  maintenance_announced: true,
  admin_added: true,
  recipients_limited: true,
};
export const OWNER_MAILS = Object.keys(OWNER_MAIL_KINDS) as OwnerMailKind[];

/** The `failure_code` of a mail that waits because its workspace has mailed too many new addresses. */
export const MAIL_HELD = 'recipients_limited';

export type MailKind =
  | BookingMailKind
  | InvoiceMailKind
  | StatementMailKind
  | OwnerMailKind
  | AccountMailKind
  | 'member_invite'
  | 'member_email_requested'
  | 'member_email_changed'
  | 'sign_in_link';

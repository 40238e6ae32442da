import type { BookingStatus } from '../states.js';

export type BookingMailKind =
  /** The room is held. With the payment link. */
  | 'booking_held'
  | 'booking_confirmed'
  /** Before the booking, at the time that its room sets. */
  | 'booking_reminder'
  /** A change that the payer has to pay for. With the payment link. */
  | 'booking_change_pending'
  | 'booking_changed'
  /** A note of the operator about a blackout that overlaps the booking. */
  | 'booking_note'
  | 'booking_cancelled'
  | 'booking_expired'
  /** The refund of a payment that arrived too late to confirm its booking. */
  | 'late_payment_refunded'
  | 'payment_refunded'
  /** The outcome of a refund that an earlier mail reported as on its way. */
  | 'payment_refund_ended'
  /** A bank has returned a refund that an earlier mail reported as made. */
  | 'payment_refund_returned';

/** The mail that reports the status of a booking. */
export const mailAboutStatus: Record<BookingStatus, BookingMailKind> = {
  pending_payment: 'booking_held',
  confirmed: 'booking_confirmed',
  completed: 'booking_confirmed',
  cancelled: 'booking_cancelled',
  expired: 'booking_expired',
};

/**
 * Whether that mail may be sent. To an address that a public guest entered and nobody has proved, only mail
 * about a hold is (docs/rules/booking-page.md#mail-to-public-guests).
 */
export const mayMailStatus = (of: { status: BookingStatus; is_unproven: boolean }): boolean =>
  !of.is_unproven || isHoldMail(mailAboutStatus[of.status]);

/** Mail to a booker with what staff have written to them. */
export type MessageMailKind = 'booking_message';

/** Mail to a public guest with the link that confirms a free booking. */
export type ProofMailKind = 'booking_to_confirm';

export type InvoiceMailKind =
  /** Sent on request, with the PDF. */
  | 'invoice'
  /** Sent when the invoice is opened. */
  | 'invoice_opened'
  /** A reminder, or the report of a declined charge. */
  | 'invoice_reminder'
  /** The receipt for a payment by card. */
  | 'invoice_paid'
  /** An invoice that the payer has received is no longer due. */
  | 'invoice_voided'
  | 'invoice_refunded'
  /** The outcome of a refund that an earlier mail reported as on its way. */
  | 'invoice_refund_ended'
  /** A bank has returned a refund that an earlier mail reported as made. */
  | 'invoice_refund_returned';

/** Mail to a payer with open invoices and payments: each month, and on request. */
export type StatementMailKind = 'monthly_statement' | 'statement';

/** The mails that send an invoice to its payer. */
export const INVOICE_SENDING: readonly MailKind[] = ['invoice', 'invoice_opened'];

/** Mail about the outcome of one refund. */
export const REFUND_ENDED: readonly MailKind[] = [
  'payment_refund_ended',
  'payment_refund_returned',
  'invoice_refund_ended',
  'invoice_refund_returned',
];

/** Mail about a booking that is not paid or confirmed yet, with the link to do so. */
export const HOLD_MAILS = ['booking_held', 'booking_to_confirm'] as const satisfies readonly MailKind[];

export const isHoldMail = (kind: MailKind): boolean => (HOLD_MAILS as readonly MailKind[]).includes(kind);

/** Mail to a person about their account. */
export type AccountMailKind =
  | 'second_factor_enrolled'
  | 'second_factor_reset'
  | 'recovery_codes_created'
  | 'passkey_added'
  | 'passkey_removed'
  /** A sign-in link was used in a browser that had not signed in before. */
  | 'new_device';

/**
 * Why mail to new addresses of a workspace waits: too many of them were mailed today, or the mail is on hold
 * (docs/rules/mail.md#holds). It is the `failure_code` of the waiting mail, and the kind of the mail that
 * tells the owner.
 */
export const MAIL_WAITS = ['recipients_limited', 'mail_held'] as const;
export type MailWait = (typeof MAIL_WAITS)[number];

/** Mail to the owner of a workspace. */
export type OwnerMailKind =
  /** The operator of the service has created the workspace. Explains how to sign in. */
  | 'workspace_created'
  | 'webhook_endpoint_disabled'
  | 'refund_failed'
  /** A refund is waiting for funds on the account. */
  | 'refund_unfunded'
  | 'payment_disputed'
  | 'accounting_failed'
  /** The number of an invoice was already given to another one, which only the accounting system has. */
  | 'number_given_twice'
  /** The database lacked data since a point in time: payments were paused until it was read again. */
  | 'database_behind'
  | 'accounting_disconnected'
  | 'reconciliation_differs'
  | 'maintenance_announced'
  /** Someone other than the owner in the dashboard made a member an admin. */
  | 'admin_added'
  | 'api_key_created'
  /** The address of the webhook endpoint has changed. */
  | 'webhook_url_changed'
  /** The seller's address, payment instructions or further text on documents has changed. */
  | 'seller_text_changed'
  /** A discount code of 100% was added, or other people can use it than before. */
  | 'full_discount_saved'
  /** The billing email or the postal address of a company has changed. */
  | 'billing_address_changed'
  /** The provider, the sign-in name or the rules of single sign-on were changed. */
  | 'sso_changed'
  | 'sso_certificate_expires'
  | MailWait;

/** Lists each kind: a new one does not compile without its line here. */
const OWNER_MAIL_KINDS: Record<OwnerMailKind, true> = {
  workspace_created: true,
  webhook_endpoint_disabled: true,
  refund_failed: true,
  refund_unfunded: true,
  payment_disputed: true,
  accounting_failed: true,
  number_given_twice: true,
  database_behind: true,
  accounting_disconnected: true,
  reconciliation_differs: true,
  maintenance_announced: true,
  admin_added: true,
  api_key_created: true,
  webhook_url_changed: true,
  seller_text_changed: true,
  full_discount_saved: true,
  billing_address_changed: true,
  sso_changed: true,
  sso_certificate_expires: true,
  recipients_limited: true,
  mail_held: true,
};

/** Mail to staff about bookings. */
export type StaffMailKind =
  /** A booking was confirmed, changed or cancelled. */
  | 'staff_booking'
  /** The bookings of a day. */
  | 'staff_digest';

/** Lists each kind, in the same way. */
const STAFF_MAIL_KINDS: Record<StaffMailKind, true> = { staff_booking: true, staff_digest: true };
export const STAFF_MAILS = Object.keys(STAFF_MAIL_KINDS) as StaffMailKind[];

/** Mail from the service to the owner of a workspace. */
export const OWNER_MAILS = Object.keys(OWNER_MAIL_KINDS) as OwnerMailKind[];

/** Mail to the owner and staff of a workspace. */
export const OWN_MAILS: readonly MailKind[] = [...OWNER_MAILS, ...STAFF_MAILS];

export type MailKind =
  | BookingMailKind
  | MessageMailKind
  | ProofMailKind
  | InvoiceMailKind
  | StatementMailKind
  | OwnerMailKind
  | StaffMailKind
  | AccountMailKind
  | 'member_invite'
  | 'member_email_requested'
  | 'member_email_changed'
  | 'sign_in_link';

/**
 * Mail that somebody is waiting for: links and codes, holds, confirmations, proofs of an address, and changes
 * of a second factor. It is sent before all other mail (docs/rules/mail.md#order).
 */
export const URGENT_MAILS = [
  'sign_in_link',
  ...HOLD_MAILS,
  'booking_confirmed',
  'booking_change_pending',
  'booking_changed',
  'booking_cancelled',
  'booking_expired',
  'member_invite',
  'member_email_requested',
  'member_email_changed',
  'second_factor_enrolled',
  'second_factor_reset',
  'recovery_codes_created',
  'passkey_added',
  'passkey_removed',
  'new_device',
  'workspace_created',
] as const satisfies readonly MailKind[];

export const isUrgentMail = (kind: MailKind): boolean => (URGENT_MAILS as readonly MailKind[]).includes(kind);

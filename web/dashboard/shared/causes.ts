import type { MailKind } from '../../../domain/mail/kinds.js';
import type { DisabledReason } from '../../../domain/events/webhook-schedule.js';
import { sentenceCase, spaced } from '../../ui/formats.js';

export const MAIL_NAMES: Record<MailKind, string> = {
  booking_held: 'Payment link',
  booking_to_confirm: 'Confirmation link',
  booking_confirmed: 'Confirmation',
  booking_reminder: 'Reminder',
  booking_change_pending: 'Payment link for a change',
  booking_changed: 'Change notice',
  booking_note: 'Note',
  booking_message: 'Message',
  booking_cancelled: 'Cancellation notice',
  booking_expired: 'Expiry notice',
  payment_refunded: 'Refund notice',
  payment_refund_ended: 'Notice of a completed or failed refund',
  payment_refund_returned: 'Notice of a refund that the bank returned',
  late_payment_refunded: 'Late payment refund notice',
  invoice: 'Invoice',
  invoice_opened: 'Invoice',
  invoice_reminder: 'Invoice reminder',
  invoice_paid: 'Receipt',
  invoice_voided: 'Notice of a void invoice',
  invoice_refunded: 'Refund notice',
  invoice_refund_ended: 'Notice of a completed or failed refund',
  invoice_refund_returned: 'Notice of a refund that the bank returned',
  monthly_statement: 'Monthly statement',
  statement: 'Statement',
  member_invite: 'Invite',
  member_email_requested: 'Notice of a requested email address',
  member_email_changed: 'Notice of a changed email address',
  sign_in_link: 'Sign-in link',
  second_factor_enrolled: 'Notice of a new authenticator',
  second_factor_reset: 'Notice of a two-step verification reset',
  recovery_codes_created: 'Notice of new recovery codes',
  passkey_added: 'Notice of a new passkey',
  passkey_removed: 'Notice of a removed passkey',
  new_device: 'Notice of a sign-in on a new device',
  workspace_created: 'Welcome email to the owner',
  webhook_endpoint_disabled: 'Webhook endpoint alert to the owner',
  refund_failed: 'Failed refund alert to the owner',
  refund_unfunded: 'Insufficient funds alert to the owner',
  payment_disputed: 'Dispute alert to the owner',
  accounting_failed: 'Accounting error alert to the owner',
  number_given_twice: 'Duplicate invoice number alert to the owner',
  database_behind: 'Paused payments alert to the owner',
  accounting_disconnected: 'Accounting connection alert to the owner',
  reconciliation_differs: 'Reconciliation report to the owner',
  maintenance_announced: 'Maintenance notice to the owner',
  admin_added: 'New admin alert to the owner',
  api_key_created: 'New API key alert to the owner',
  webhook_url_changed: 'Webhook URL alert to the owner',
  seller_text_changed: 'Invoice text alert to the owner',
  full_discount_saved: 'Free discount code alert to the owner',
  billing_address_changed: 'Billing address alert to the owner',
  sso_changed: 'Single sign-on alert to the owner',
  sso_certificate_expires: 'Expiring certificate alert to the owner',
  recipients_limited: 'Email limit alert to the owner',
  mail_held: 'Held email alert to the owner',
  staff_booking: 'Booking notice to staff',
  staff_digest: 'Daily booking notice to staff',
};

/** Why an attempt to send a mail failed, from its code. */
export function mailFailure(code: string): string {
  const reply = /^smtp_(\d+)$/.exec(code)?.[1];
  if (reply)
    return `the mail server ${reply.startsWith('5') ? 'rejected it' : 'did not accept it yet'} (${reply})`;
  const known: Record<string, string> = {
    not_connected: 'the mail server did not respond',
    invalid_address: 'the address is not valid',
    recipients_limited: 'the workspace has emailed too many new addresses today',
    mail_held: 'email to new addresses is on hold',
    not_written: 'it could not be created; contact the operator of the service',
  };
  return known[code] ?? code;
}

const DECLINES: Record<string, string> = {
  authentication_required: 'the bank requires authentication',
  card_declined: 'the bank gave no reason',
  do_not_honor: 'the bank gave no reason',
  generic_decline: 'the bank gave no reason',
  incorrect_cvc: 'incorrect security code',
  invalid_cvc: 'invalid security code',
  payment_intent_authentication_failure: 'the payer was not authenticated',
  test_mode_live_card: 'a real card in test mode',
};

/** Why a card was declined, from the processor's code: `insufficient funds`. */
export const describeDecline = (code: string): string => DECLINES[code] ?? spaced(code);

export const DISABLED_REASONS: Record<DisabledReason, string> = {
  receiver_gone: 'The receiver responded with 410 Gone, so no more events are sent.',
  receiver_failing: 'No delivery has succeeded for five days.',
};

const ACCOUNT_PROBLEMS: Record<string, string> = {
  'action_required.requested_capabilities':
    'More information is required before the account can take payments',
  listed: 'The account may be on a list of prohibited persons or companies',
  other: 'Stripe is reviewing the account',
  payouts_disabled: 'Payouts to the bank account are paused',
  platform_paused: 'The account was paused',
  'rejected.fraud': 'Stripe has rejected the account because of suspected fraud',
  'rejected.incomplete_verification': 'Stripe has rejected the account because of missing information',
  'rejected.listed': 'Stripe has rejected the account: it is on a list of prohibited persons or companies',
  'rejected.other': 'Stripe has rejected the account',
  'rejected.terms_of_service': 'Stripe has rejected the account because of its terms of service',
  'requirements.past_due': 'Required information is past due',
  'requirements.pending_verification': 'Stripe is verifying the submitted information',
  under_review: 'Stripe is reviewing the account',
};

/** Describes a problem with the processor account by its code. */
export const accountProblem = (code: string): string =>
  ACCOUNT_PROBLEMS[code] ?? sentenceCase(code.replaceAll('.', ': '));

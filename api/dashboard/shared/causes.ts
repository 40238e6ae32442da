import type { MailKind } from '../../../domain/mails.js';
import type { DisabledReason } from '../../../domain/webhook-schedule.js';
import { sentenceCase } from './formats.js';

/** What each kind of mail is called. */
export const MAIL_NAMES: Record<MailKind, string> = {
  booking_held: 'Link to the checkout',
  booking_confirmed: 'Confirmation',
  booking_change_pending: 'Link to pay a change',
  booking_changed: 'Notice of the change',
  booking_cancelled: 'Notice of the cancellation',
  booking_expired: 'Notice that the hold has expired',
  payment_refunded: 'Notice of the refund',
  late_payment_refunded: 'Notice of the refund of a late payment',
  invoice: 'Invoice',
  invoice_opened: 'Invoice',
  invoice_reminder: 'Reminder of an invoice',
  invoice_refunded: 'Notice of the refund',
  monthly_statement: 'Monthly statement',
  member_invite: 'Invite',
  member_email_requested: 'Notice of a requested address',
  member_email_changed: 'Notice of a changed address',
  sign_in_link: 'Sign-in link',
  second_factor_enrolled: 'Notice of a new authenticator',
  second_factor_reset: 'Notice of a reset second factor',
  recovery_codes_created: 'Notice of new recovery codes',
  webhook_endpoint_disabled: 'Notice to the owner of a disabled webhook endpoint',
  refund_failed: 'Notice to the owner of a failed refund',
  refund_unfunded: 'Notice to the owner of a refund without balance',
  payment_disputed: 'Notice to the owner of a dispute',
  accounting_failed: 'Notice to the owner of a rejected document',
  accounting_disconnected: 'Notice to the owner of the accounting connection',
  reconciliation_differs: 'Report of differences to the owner',
  maintenance_announced: 'Notice to the owner of maintenance',
  admin_added: 'Notice to the owner of a new admin',
};

/** Why an attempt to send a mail failed, from its code. */
export function mailFailure(code: string): string {
  const reply = /^smtp_(\d+)$/.exec(code)?.[1];
  if (reply)
    return `the mail server ${reply.startsWith('5') ? 'rejected it' : 'did not accept it yet'} (${reply})`;
  const known: Record<string, string> = {
    not_connected: 'the mail server did not respond',
    invalid_address: 'the address is not valid',
    not_written: 'it could not be written; the operator of the service must look at the log',
  };
  return known[code] ?? code;
}

/** Why a webhook endpoint is disabled. */
export const DISABLED_REASONS: Record<DisabledReason, string> = {
  receiver_gone: 'The receiver answered 410: it no longer wants events.',
  receiver_failing: 'No delivery has succeeded for five days.',
};

const ACCOUNT_PROBLEMS: Record<string, string> = {
  'action_required.requested_capabilities': 'More has to be submitted before it can take payments',
  listed: 'The account may be on a list of prohibited persons or companies',
  other: 'The processor is reviewing the account',
  payouts_disabled: 'Nothing is paid out to the bank account',
  platform_paused: 'The account was paused',
  'rejected.fraud': 'The processor has rejected the account because of suspected fraud',
  'rejected.incomplete_verification': 'The processor has rejected the account because of missing information',
  'rejected.listed':
    'The processor has rejected the account: it is on a list of prohibited persons or companies',
  'rejected.other': 'The processor has rejected the account',
  'rejected.terms_of_service': 'The processor has rejected the account because of its terms of service',
  'requirements.past_due': 'Required information is past due',
  'requirements.pending_verification': 'The processor is verifying what was submitted',
  under_review: 'The processor is reviewing the account',
};

/** What is wrong with the account at the payment processor, from the processor's code. */
export const accountProblem = (code: string): string =>
  ACCOUNT_PROBLEMS[code] ?? sentenceCase(code.replaceAll('.', ': '));

import type { SsoRequirement } from '../../../domain/single-sign-on/providers.js';
import type { OwnerMail, OwnerMailFacts } from '../../../db/queries/mail/owner-mail.js';
import { disputeReason } from '../../../domain/payments/dispute-words.js';
import { formatDay, formatMoney, formatZonedMoment } from '../../../domain/display.js';
import type { OwnerMailKind } from '../../../domain/mail/kinds.js';
import { greeting, LinkButton, Paragraphs, type MailContent } from './parts.js';

interface Content {
  subject: string;
  body: string[];
  /** The page where the owner can act: a label, and a path in the dashboard of the workspace. */
  action: readonly [label: string, path: string];
}

const DISABLED_BECAUSE: Record<OwnerMailFacts['webhook_endpoint_disabled']['reason'], string> = {
  receiver_gone: 'It responded with 410 Gone, which means that it accepts no more events.',
  receiver_failing: 'It has not accepted any event for five days.',
};

const WRITES: Record<OwnerMailFacts['accounting_failed']['write'], string> = {
  create: 'the invoice',
  approve: 'the approval of the invoice',
  pay: 'the payment of the invoice',
  void: 'the voiding of the invoice',
  rename: 'the new reference of the invoice',
  credit: 'the credit note',
  refund: 'the refund',
};

const DISPUTED: Record<OwnerMailFacts['payment_disputed']['status'], (amount: string) => string> = {
  inquiry: (amount) =>
    `The payer’s bank has sent an inquiry about a payment: ${amount} may be disputed. No money has moved ` +
    'yet. You can prevent a dispute with a response or a refund.',
  open: (amount) =>
    `The payer’s bank disputes ${amount} of a payment. This amount is withdrawn from your account. You ` +
    'get it back if you win the dispute.',
  won: (amount) =>
    `The dispute was decided in your favour: you get ${amount} back. The booking was cancelled during the ` +
    'dispute, when the payment could not be refunded. If the refund terms of the booking entitle the payer ' +
    'to a refund, make it now.',
  lost: (amount) => `The dispute was decided in the payer’s favour: you do not get ${amount} back.`,
};

/** The reason of a dispute, the deadline for a response, and useful evidence. */
function toRespond(dueBy: string | null, reason: string | null): string[] {
  const known = disputeReason(reason);
  return [
    ...(known ? [known.says] : []),
    ...(dueBy ? [`Respond in Stripe by ${dueBy}.${known ? ` Useful evidence: ${known.helps}` : ''}`] : []),
  ];
}

const about = ({ payment_id, booking_id }: { payment_id: string; booking_id: string | null }): string =>
  `Payment ${payment_id}${booking_id ? `, booking ${booking_id}` : ''}`;

const UNEXPECTED =
  'The audit log shows who made the change, and with which API key. If you did not expect it, undo the ' +
  'change and revoke the key.';

type Contents = {
  [Kind in OwnerMailKind]: (facts: OwnerMailFacts[Kind], moment: (iso: string) => string) => Content;
};

const CONTENTS: Contents = {
  workspace_created: ({ email }) => ({
    subject: 'Your workspace is ready',
    body: [
      'Your workspace has been created, and you are its owner.',
      `Sign in with ${email}. There is no password: you get a link by email each time. At your first ` +
        'sign-in, you set up two-step verification: an authenticator app or a passkey.',
      'The dashboard then lists your first steps: rooms, your contact details for payers, and card payments.',
    ],
    action: ['Sign in', ''],
  }),
  webhook_endpoint_disabled: ({ url, reason }) => ({
    subject: 'Your webhook endpoint has been disabled',
    body: [
      `Events are no longer sent to ${url}.`,
      DISABLED_BECAUSE[reason],
      'Events are still stored. When your receiver works again, enable the endpoint under ' +
        'Webhooks, then redeliver the events it missed under Events. With the API, use PUT ' +
        '/v1/webhook-endpoint and GET /v1/events.',
    ],
    action: ['Open webhooks', '/webhooks'],
  }),
  refund_failed: ({ payment_id, booking_id, amount_minor, currency }) => ({
    subject: 'A refund has failed',
    body: [
      `Stripe could not refund ${formatMoney({ amount_minor, currency })}. ` +
        'Try the refund again, or return the money another way.',
      about({ payment_id, booking_id }),
    ],
    action: ['Open payment', `/payments/${payment_id}`],
  }),
  refund_unfunded: ({ payment_id, booking_id, amount_minor, currency }) => ({
    subject: 'A refund is waiting for funds',
    body: [
      'Your Stripe balance is too low to refund ' +
        `${formatMoney({ amount_minor, currency })}. Add funds to your Stripe account. The refund is made ` +
        'when funds arrive. Do not return the money another way.',
      about({ payment_id, booking_id }),
    ],
    action: ['Open payment', `/payments/${payment_id}`],
  }),
  payment_disputed: (
    { payment_id, booking_id, dispute_id, amount_minor, currency, status, due_by, reason },
    moment,
  ) => ({
    subject: {
      inquiry: 'A bank has sent an inquiry about a payment',
      open: 'A payment is disputed',
      won: 'You won a dispute about a cancelled booking',
      lost: 'You lost a dispute',
    }[status],
    body: [
      DISPUTED[status](formatMoney({ amount_minor, currency })),
      ...(status !== 'won' && status !== 'lost' ? toRespond(due_by && moment(due_by), reason) : []),
      `${about({ payment_id, booking_id })}, dispute ${dispute_id}`,
    ],
    action: ['Open payment', `/payments/${payment_id}`],
  }),
  reconciliation_differs: ({ from, to, differences, first }) => ({
    subject: `Reconciliation found ${differences} ${differences === 1 ? 'difference' : 'differences'}`,
    body: [
      'The nightly reconciliation compared Stripe, the ledger and the accounting system for ' +
        `invoices from ${formatUtcDay(from)} to ${formatUtcDay(to)}.`,
      first,
    ],
    action: ['View all differences', `/reconciliation?from=${from.slice(0, 10)}&to=${to.slice(0, 10)}`],
  }),
  accounting_disconnected: ({ organisation }) => ({
    subject: 'Your accounting system is disconnected',
    body: [
      `${organisation} has revoked access, or the access has expired. Nothing is sent there ` +
        'until you reconnect it.',
      'Invoices and payments are queued until then.',
    ],
    action: ['Reconnect', '/accounting'],
  }),
  maintenance_announced: ({ starts_at, ends_at }, moment) => ({
    subject: `Maintenance from ${moment(starts_at)}`,
    body: [
      `From ${moment(starts_at)} to ${moment(ends_at)}, the API rejects requests with the keys of this ` +
        'workspace (503 maintenance). Until the maintenance ends, every API response has a ' +
        'Service-Maintenance header with these times.',
      'Payers can still pay, webhooks are still delivered, and existing bookings are not affected. To end ' +
        'the maintenance early, use Settings, or PATCH /v1/workspace with "maintenance": null.',
    ],
    action: ['Open settings', '/settings'],
  }),
  admin_added: ({ name, email, action }) => ({
    subject: `${name} is now an admin`,
    body: [
      `${name} (${email}) is now an admin. Admins can change everything except ownership: ` +
        'bookings, money, members, API keys and settings.',
      'The audit log shows who made the change, and with which API key. If you did not expect it, change ' +
        'the role or archive the member, and revoke the key.',
    ],
    action: ['Open audit log', `/audit-log?action=${action}`],
  }),
  api_key_created: ({ name, fingerprint, member, scope }) => ({
    subject: `New API key: ${name}`,
    body: [
      `The API key ${name} (${fingerprint}) was created. It acts as ${member} with this scope: ${scope}.`,
      'The audit log shows who created the key, and with which API key. If you did not expect it, revoke it.',
    ],
    action: ['Open API keys', '/keys'],
  }),
  webhook_url_changed: ({ url }) => ({
    subject: 'Your webhook URL has changed',
    body: [
      url
        ? `Events about your bookings, members and payments are now sent to ${url}.`
        : 'The webhook URL was changed, and the endpoint was then deleted.',
      UNEXPECTED,
    ],
    action: ['Open webhooks', '/webhooks'],
  }),
  seller_text_changed: ({ legal_address, payment_instructions, invoice_details }) => ({
    subject: 'The text on your invoices has changed',
    body: [
      'Your address, the payment instructions or the additional text on your invoices was changed. New ' +
        'invoices now show:',
      `Address: ${legal_address ?? 'none'}`,
      `Payment instructions: ${payment_instructions ?? 'none'}`,
      `Additional text: ${invoice_details ?? 'none'}`,
      UNEXPECTED,
    ],
    action: ['Open settings', '/settings#invoices'],
  }),
  full_discount_saved: ({ id, code }) => ({
    subject: `Discount code ${code} makes bookings free`,
    body: [
      `The discount code ${code} takes 100% off. It was added, changed or restored.`,
      'The audit log shows who made the change, and with which API key. If you did not expect it, archive ' +
        'the code and revoke the key.',
    ],
    action: ['Open discount code', `/discounts/${id}`],
  }),
  billing_address_changed: ({ id, name, email, address }) => ({
    subject: `The billing address of ${name} has changed`,
    body: [
      `The email address that invoices of ${name} are sent to, or the postal address on them, was changed. ` +
        'They are now:',
      `Billing email: ${email ?? 'none'}`,
      `Address: ${address ?? 'none'}`,
      UNEXPECTED,
    ],
    action: ['Open company', `/companies/${id}`],
  }),
  sso_changed: ({ sign_in_name, name, provider, enabled, required }) => ({
    subject: 'Single sign-on was changed',
    body: [
      'The identity provider of your workspace, its sign-in name, or the rule for who must use it was ' +
        'changed. The settings are now:',
      `Sign-in name: ${sign_in_name ?? 'none'}`,
      provider
        ? `Provider: ${name}, ${provider.protocol === 'oidc' ? provider.issuer : provider.entity_id}`
        : 'Provider: none',
      enabled ? `Single sign-on is on. Who must use it: ${WHO_MUST[required]}` : 'Single sign-on is off.',
      'The audit log shows what was changed. Only you, the owner, can change these settings. If it was not ' +
        'you, sign out everywhere on your account page, then undo the change.',
    ],
    action: ['Open sign-in settings', '/sign-in'],
  }),
  sso_certificate_expires: ({ name, not_after, others }, moment) => ({
    subject: `A certificate of ${name} ${new Date(not_after) > new Date() ? 'expires soon' : 'has expired'}`,
    body: [
      `${name} signs its responses with a certificate that is valid until ${moment(not_after)}. People ` +
        'can still sign in after that date. But once the provider signs with a new certificate, nobody can ' +
        'sign in through it until you save the new certificate here.',
      others > 0
        ? 'You have already saved another certificate. Check that it is the new one.'
        : 'Before the provider switches to the new certificate, enter its metadata again, with both ' +
          'certificates, and run the test.',
    ],
    action: ['Open sign-in settings', '/sign-in'],
  }),
  recipients_limited: () => ({
    subject: 'Some of your emails are delayed',
    body: [
      'Your workspace has emailed the maximum number of new addresses in 24 hours. Emails to other new ' +
        'addresses are delayed by up to a day. Emails to addresses that you have emailed before are sent ' +
        'as usual.',
      'If you did not expect this, check who has been invited, which API keys were used, and which ' +
        'unpaid bookings came from your booking page. Emails about unpaid bookings have a lower limit: ' +
        'they are delayed after half of that number of new addresses, or when too many of these addresses ' +
        'reject them.',
    ],
    action: ['Open audit log', '/audit-log'],
  }),
  mail_held: ({ reason }) => ({
    subject: 'Email to new addresses is on hold',
    body: [
      'Emails to addresses that your workspace has not emailed before are on hold. All other ' +
        'emails are sent as usual.',
      reason
        ? `We have put them on hold. Reason: ${reason}`
        : 'Too many new addresses have permanently rejected your emails. The emails on hold are sent once ' +
          'no address has rejected one for 24 hours.',
      reason
        ? 'If you have questions, contact us.'
        : 'Correct the addresses listed on your dashboard, and check who has been invited and ' +
          'which API keys were used.',
    ],
    action: ['Open dashboard', ''],
  }),
  accounting_failed: ({ invoice_id, accounting_reference, write, reason }) => ({
    subject: `${accounting_reference} needs your attention in the accounting system`,
    body: [
      `The accounting system rejected ${WRITES[write]}.${reason ? ` Reason: ${reason}` : ''}`,
      `Invoice ${invoice_id}`,
    ],
    action: ['Open invoice', `/invoices/${invoice_id}`],
  }),
  database_behind: ({ since }, moment) => ({
    subject: 'Payments were paused temporarily',
    body: [
      `Our database may have lost data since ${moment(since)}, for example because it failed over or was ` +
        'restored. Until we have read this data again from Stripe and your accounting system, nothing ' +
        'is charged or refunded, and new bookings that need a payment are rejected.',
      'Payments resume automatically. Your dashboard shows whether they are still paused. You do not need ' +
        'to repeat any payment or refund.',
      'Changes without a payment in that time, such as cancellations or new rooms, may be missing. ' +
        'Please check what you changed.',
    ],
    action: ['Open dashboard', ''],
  }),
  number_given_twice: ({ invoice_id, number, in_books }) => ({
    subject: `Two of your invoices have the number ${number}`,
    body: [
      'The first one is now only in your accounting system: its record here was lost when our database ' +
        'failed over or was restored. The same number was then given to a second invoice, which is in the ' +
        `accounting system as ${in_books}. The payer’s copy still says ${number}.`,
      'The first invoice and its payments stay in the accounting system. Do not record them here again, or ' +
        'they would be sent a second time.',
      'Ask your accountant whether the second invoice has to be replaced. If it is unpaid, you can void it ' +
        'and create it again with a new number.',
    ],
    action: ['Open invoice', `/invoices/${invoice_id}`],
  }),
};

const WHO_MUST: Record<SsoRequirement, string> = {
  none: 'nobody',
  staff: 'the team',
  everyone: 'everyone except you',
};

/** The UTC day of an ISO 8601 time: a reconciliation covers UTC days. */
const formatUtcDay = (iso: string): string => formatDay(new Date(iso), 'UTC', new Date());

/**
 * Writes a mail to the owner of a workspace (docs/rules/mail.md#owner-mail).
 * `dashboardUrl`: the dashboard's URL, without a workspace.
 */
export function renderOwnerMail<Kind extends OwnerMailKind>(
  mail: OwnerMail<Kind>,
  dashboardUrl: string,
): MailContent {
  const moment = (iso: string): string => formatZonedMoment(new Date(iso), mail.time_zone, new Date());
  const { subject, body, action } = CONTENTS[mail.kind](mail.facts, moment);
  const [label, path] = action;
  const url = `${dashboardUrl}/${mail.workspace_id}${path}`;
  return {
    id: mail.id,
    to: mail.to,
    subject: `${subject} (${mail.workspace_name})`,
    body: (
      <>
        <Paragraphs of={[greeting(mail.name, mail.to), ...body]} />
        <LinkButton label={label} url={url} />
      </>
    ),
  };
}

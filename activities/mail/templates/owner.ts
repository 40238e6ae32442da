import type { OwnerMail, OwnerMailFacts } from '../../../db/repositories/mail/mail-content-queries.js';
import type { OwnerMailKind } from '../../../domain/mails.js';
import { formatMoney } from '../../../domain/money.js';
import type { MailMessage } from '../../gateways/mail.js';
import { paragraphs } from './html.js';

interface Content {
  subject: string;
  body: string[];
}

const DISABLED_BECAUSE: Record<OwnerMailFacts['webhook_endpoint_disabled']['reason'], string> = {
  receiver_gone: 'It responded with 410 Gone, which asks for no more events to be sent.',
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
    `The payer's bank asks about a payment, of which ${amount} may be disputed. No money has moved. A response or a ` +
    'refund can prevent a dispute.',
  open: (amount) =>
    `The payer's bank disputes ${amount} of a payment. The amount is taken from your account until the dispute is won.`,
  lost: (amount) => `The payer's bank has decided for the payer: ${amount} of a payment does not come back.`,
};

const about = ({ payment_id, booking_id }: { payment_id: string; booking_id: string | null }): string =>
  `Payment ${payment_id}${booking_id ? `, booking ${booking_id}` : ''}`;

const CONTENTS: { [Kind in OwnerMailKind]: (facts: OwnerMailFacts[Kind]) => Content } = {
  webhook_endpoint_disabled: ({ url, reason }) => ({
    subject: 'Your webhook endpoint has been disabled',
    body: [
      `No more events are sent to ${url}.`,
      DISABLED_BECAUSE[reason],
      'Events are still stored. When your receiver works again, enable the endpoint with PUT /v1/webhook-endpoint and ' +
        'retrieve the events it missed with GET /v1/events.',
    ],
  }),
  refund_failed: ({ payment_id, booking_id, amount_minor, currency }) => ({
    subject: 'A refund has failed',
    body: [
      `The payment processor could not refund ${formatMoney({ amount_minor, currency })}. ` +
        'Refund the payment again, or return the money another way.',
      about({ payment_id, booking_id }),
    ],
  }),
  refund_unfunded: ({ payment_id, booking_id, amount_minor, currency }) => ({
    subject: 'A refund waits for balance',
    body: [
      `The account at the payment processor has too little balance to refund ${formatMoney({ amount_minor, currency })}. ` +
        'Add funds there. The refund is tried again when there is balance, and every day for 30 days; do not pay it ' +
        'back another way.',
      about({ payment_id, booking_id }),
    ],
  }),
  payment_disputed: ({ payment_id, booking_id, dispute_id, amount_minor, currency, status, due_by }) => ({
    subject: {
      inquiry: 'A bank asks about a payment',
      open: 'A payment is disputed',
      lost: 'A dispute was lost',
    }[status],
    body: [
      DISPUTED[status](formatMoney({ amount_minor, currency })),
      ...(due_by && status !== 'lost'
        ? [`Respond at the payment processor by ${new Date(due_by).toISOString()}.`]
        : []),
      `${about({ payment_id, booking_id })}, dispute ${dispute_id}`,
    ],
  }),
  reconciliation_differs: ({ from, to, differences, first }) => ({
    subject: `Reconciliation found ${differences} ${differences === 1 ? 'difference' : 'differences'}`,
    body: [
      `We compared the payment processor, the ledger and the accounting system for invoices from ${from} to ${to}.`,
      first,
      `GET /v1/reconciliation?from=${from}&to=${to} lists all differences.`,
    ],
  }),
  accounting_disconnected: ({ organisation }) => ({
    subject: 'Your accounting system is no longer connected',
    body: [
      `${organisation} has withdrawn the access, or the access has expired. Nothing is sent there until you connect it again: ` +
        'at the dashboard under Accounting, or with POST /v1/workspace/accounting/connect.',
      'Invoices and payments since then are kept, and are sent after that.',
    ],
  }),
  maintenance_announced: ({ starts_at, ends_at }) => ({
    subject: `Maintenance from ${starts_at}`,
    body: [
      `The API will reject the keys of this workspace from ${starts_at} to ${ends_at} with 503 maintenance. ` +
        'Until it ends, every API response has the header Service-Maintenance with these times.',
      'Payers can still pay, webhooks are delivered, and existing bookings are not affected. To end it early, send PATCH /v1/workspace with ' +
        '"maintenance": null.',
    ],
  }),
  admin_added: ({ name, email }) => ({
    subject: `${name} is now an admin`,
    body: [
      `${name} (${email}) has been made an admin. Admins can change everything except the ownership: bookings, money, members, API keys ` +
        'and settings.',
      'The audit log says who did this, and with which API key: at the dashboard, or GET /v1/audit-log?action=member.updated. If you ' +
        'did not expect it, change the role back, archive the member, and revoke the key.',
    ],
  }),
  accounting_failed: ({ invoice_id, accounting_reference, write, reason }) => ({
    subject: `${accounting_reference} needs your attention in the accounting system`,
    body: [
      `The accounting system rejected ${WRITES[write]}.${reason ? ` Its reason: ${reason}` : ''}`,
      `Invoice ${invoice_id}`,
    ],
  }),
};

/** Writes a mail to the owner of a workspace (docs/rules/mail.md#owner-mail). */
export function renderOwnerMail<Kind extends OwnerMailKind>(mail: OwnerMail<Kind>): MailMessage {
  const { subject, body } = CONTENTS[mail.kind](mail.facts);
  const lines = [`Hello ${mail.name},`, ...body, mail.workspace_name];
  return {
    id: mail.id,
    to: mail.to,
    subject: `${subject} (${mail.workspace_name})`,
    text: lines.join('\n\n'),
    html: paragraphs(lines),
  };
}

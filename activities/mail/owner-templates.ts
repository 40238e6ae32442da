import type { OwnerMailKind, OwnerMails, PendingOwnerMail } from '../../db/repositories/mail/owner-mails.js';
import { formatMoney } from '../../domain/money.js';
import type { Letter } from '../gateways/mail.js';
import { escapeHtml } from './booking-templates.js';

interface Words {
  subject: string;
  paragraphs: string[];
}

const WHY_DISABLED: Record<OwnerMails['webhook_endpoint_disabled']['reason'], string> = {
  receiver_gone: 'It answered 410 Gone, which says that it wants no more events.',
  receiver_failing: 'It has not accepted a single event for five days.',
};

/** What each mail to an owner says. */
const WORDS: { [Kind in OwnerMailKind]: (details: OwnerMails[Kind]) => Words } = {
  webhook_endpoint_disabled: ({ url, reason }) => ({
    subject: 'Your webhook endpoint has been disabled',
    paragraphs: [
      `No more events are sent to ${url}.`,
      WHY_DISABLED[reason],
      'Events go on being stored. When the receiver works again, enable it with PUT /v1/webhook-endpoint, and fetch ' +
        'what it has missed with GET /v1/events.',
    ],
  }),
  refund_failed: ({ payment_id, booking_id, amount_minor, currency }) => ({
    subject: 'A refund has failed',
    paragraphs: [
      `The payment processor could not give back ${formatMoney({ amount_minor, currency })}. ` +
        'Please pay it back another way, or refund the payment again.',
      [`Payment ${payment_id}`, ...(booking_id ? [`booking ${booking_id}`] : [])].join(', '),
    ],
  }),
  reconciliation_differs: ({ from, to, differences, first }) => ({
    subject: `Money does not add up: ${differences} ${differences === 1 ? 'difference' : 'differences'}`,
    paragraphs: [
      `The payment processor, the ledger and the books were compared for invoices from ${from} to ${to}.`,
      first,
      `GET /v1/reconciliation?from=${from}&to=${to} lists all of them.`,
    ],
  }),
  accounting_failed: ({ invoice_id, accounting_reference, write, reason }) => ({
    subject: `${accounting_reference} needs your attention in the accounting system`,
    paragraphs: [
      `This could not be written to the accounting system: ${write}. It says: ${reason}`,
      `Invoice ${invoice_id}`,
    ],
  }),
};

/** Writes the letter that a workspace's owner is owed. */
export function writeOwnerLetter<Kind extends OwnerMailKind>(mail: PendingOwnerMail<Kind>): Letter {
  const { subject, paragraphs } = WORDS[mail.kind](mail.details);
  const lines = [`Hello ${mail.name},`, ...paragraphs, mail.workspace_name];
  return {
    id: mail.id,
    to: mail.to,
    subject: `${subject} (${mail.workspace_name})`,
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
  };
}

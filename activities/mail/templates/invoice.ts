import type { InvoiceMail } from '../../../db/repositories/mail/mail-content-queries.js';
import { kindOfRefusal } from '../../../domain/collection.js';
import { formatDay, formatMoney, localeOf } from '../../../domain/display.js';
import type { MailMessage } from '../../gateways/mail.js';
import { escapeHtml, paragraphs } from './html.js';

/** The day by which an invoice is to be paid, in the workspace's zone as on the PDF. */
const dueDay = ({ invoice, time_zone }: InvoiceMail): string =>
  formatDay(invoice.due_at, time_zone, localeOf(invoice));

/** What the payer of an amount that is outstanding is to do: nothing, if it is charged to a card that was not refused. */
function requestOf(mail: InvoiceMail): string {
  const { invoice, outstanding_minor, autopay_last4, refusal_code } = mail;
  const amount = formatMoney({ amount_minor: outstanding_minor, currency: invoice.currency });
  if (!autopay_last4 || refusal_code) return `Please pay ${amount} by ${dueDay(mail)}.`;
  const when = invoice.due_at <= new Date() ? 'now' : `on ${dueDay(mail)}`;
  return `${amount} will be charged to your card ending in ${autopay_last4} ${when}. No action is needed.`;
}

/** The day on which the card is charged again after a refusal; null if it is not. */
function nextChargeOf({ invoice, time_zone }: InvoiceMail): string | null {
  const { collection } = invoice;
  return collection?.status === 'retrying' && collection.next_at
    ? formatDay(new Date(collection.next_at), time_zone, localeOf(invoice))
    : null;
}

/** A reminder by what has happened: a refused card, a date that has passed, or one that comes. */
function reminderOf(mail: InvoiceMail): { subject: string; body: string[] } {
  const { invoice, outstanding_minor, refusal_code, autopay_last4 } = mail;
  const { accounting_reference: reference, currency } = invoice;
  const amount = formatMoney({ amount_minor: outstanding_minor, currency });
  const due = dueDay(mail);
  if (outstanding_minor === 0)
    return { subject: `Invoice ${reference}`, body: ['Your invoice has been paid. No action is needed.'] };
  if (refusal_code && kindOfRefusal(refusal_code) === 'authenticate')
    return {
      subject: `Your bank asks you to confirm your payment of invoice ${reference}`,
      body: [`Your card was not charged. Open the invoice to pay ${amount} and confirm it with your bank.`],
    };
  if (refusal_code) {
    const next = nextChargeOf(mail);
    const todo = next
      ? `We will try your card again on ${next} unless the invoice has been paid by then. You can also pay with another card or another payment method.`
      : 'Please pay with another card or another payment method.';
    return {
      subject: `Your card was declined for invoice ${reference}`,
      body: [`${amount} could not be charged to your card. ${todo}`],
    };
  }
  if (invoice.due_at < new Date())
    return {
      subject: `Invoice ${reference} is past due`,
      body: [`${amount} was due on ${due}. Please pay it as soon as possible.`],
    };
  return {
    subject: `Invoice ${reference} is due on ${due}`,
    body: [
      autopay_last4
        ? `${amount} will be charged to your card ending in ${autopay_last4} on ${due}. No action is needed.`
        : `Please pay ${amount} by ${due}.`,
    ],
  };
}

/** Subject and paragraphs; `asks` for a mail that asks for a payment. */
function contentOf(mail: InvoiceMail): { subject: string; body: string[]; asks: boolean } {
  const { invoice } = mail;
  const { accounting_reference: reference, currency } = invoice;
  const money = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const asks = mail.outstanding_minor > 0;
  const request = asks ? requestOf(mail) : 'It has been paid. No action is needed.';
  switch (mail.kind) {
    case 'invoice':
      return {
        subject: `Invoice ${reference}`,
        body: [`Invoice ${reference} for ${money(invoice.total_minor)} is attached.`, request],
        asks,
      };
    case 'invoice_opened':
      return {
        subject: `Your invoice ${reference}`,
        body: [`${mail.workspace_name} has sent you an invoice for ${money(invoice.total_minor)}.`, request],
        asks,
      };
    case 'invoice_reminder':
      return { ...reminderOf(mail), asks };
    case 'invoice_refunded':
      return {
        subject: `Refund for invoice ${reference}`,
        body: [`${money(mail.refund_minor ?? 0)} has been refunded to the card or account you paid with.`],
        asks: false,
      };
  }
}

/** Writes a mail about an invoice to its payer, with the link to pay it (docs/rules/mail.md#invoice-mail). */
export function renderInvoiceMail(mail: InvoiceMail, payUrl: string): MailMessage {
  const { invoice, payer, workspace_name, attachment } = mail;
  const { subject, body, asks } = contentOf(mail);
  const lines = [`Hello ${payer.name},`, ...body];
  const link = asks ? 'View and pay invoice' : 'View invoice';
  return {
    id: mail.id,
    to: payer.email,
    subject: `${subject} (${workspace_name})`,
    text: [...lines, `${link}: ${payUrl}`, workspace_name].join('\n\n'),
    html: [
      paragraphs(lines),
      `<p><a href="${escapeHtml(payUrl)}">${link}</a></p>`,
      paragraphs([workspace_name]),
    ].join('\n'),
    ...(attachment && {
      pdf: {
        name: `${invoice.accounting_reference.split(' — ')[0]!.replace('#', '')}.pdf`,
        content: attachment,
      },
    }),
  };
}

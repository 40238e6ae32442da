import type { VNode } from 'preact';
import type { InvoiceMail } from '../../../db/queries/mail/invoice-mail.js';
import { kindOfRefusal } from '../../../domain/collection.js';
import { formatDay, formatMoney, localeOf } from '../../../domain/display.js';
import { factsOfInvoice, meansOf, quotedNumber } from '../../../domain/invoice-words.js';
import { describeRefundParts } from '../../../domain/refund-parts.js';
import { Facts, LinkButton, Paragraphs, reasonGiven, type MailContent } from './parts.js';

/** A day in the workspace's zone, as on the PDF. */
const dayInWords = (at: Date, { invoice, time_zone }: InvoiceMail): string =>
  formatDay(at, time_zone, new Date(), localeOf(invoice));

/** The day by which an invoice is to be paid. */
const dueDay = (mail: InvoiceMail): string => dayInWords(mail.invoice.due_at, mail);

/** What the payer of an amount that is outstanding is to do: nothing, if it is charged to a card that was not refused. */
function requestOf(mail: InvoiceMail): string {
  const { invoice, outstanding_minor, autopay_last4, refusal_code } = mail;
  const amount = formatMoney({ amount_minor: outstanding_minor, currency: invoice.currency });
  const isPast = invoice.due_at <= new Date();
  if (!autopay_last4 || refusal_code) {
    if (isPast && dueDay(mail) !== dayInWords(new Date(), mail))
      return `${amount} was due on ${dueDay(mail)}. Please pay it as soon as possible.`;
    return `Please pay ${amount} by ${dueDay(mail)}.`;
  }
  const when = isPast ? 'now' : `on ${dueDay(mail)}`;
  return `${amount} will be charged to your card ending in ${autopay_last4} ${when}. No action is needed.`;
}

/** The day on which the card is charged again after a refusal; null if it is not. */
function nextChargeOf(mail: InvoiceMail): string | null {
  const { collection } = mail.invoice;
  return collection?.status === 'retrying' && collection.next_at
    ? dayInWords(new Date(collection.next_at), mail)
    : null;
}

/** A reminder by what has happened: a refused card, a date that has passed, or one that comes. */
function reminderOf(mail: InvoiceMail): { subject: string; body: string[] } {
  const { invoice, outstanding_minor, refusal_code, autopay_last4 } = mail;
  const reference = quotedNumber(invoice);
  const { currency } = invoice;
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
function contentOf(mail: InvoiceMail): { subject: string; body: (string | VNode)[]; asks: boolean } {
  const { invoice, money: about, replaced_by, replaces } = mail;
  const reference = quotedNumber(invoice);
  const { currency } = invoice;
  const money = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const asks = mail.outstanding_minor > 0;
  const request = asks ? requestOf(mail) : 'It has been paid. No action is needed.';
  const reason = reasonGiven(mail.reason, `${mail.workspace_name} wrote`);
  const replacing = replaces
    ? [`It replaces invoice ${quotedNumber(replaces)}, which is no longer due.`]
    : [];
  switch (mail.kind) {
    case 'invoice':
      return {
        subject: `Invoice ${reference}`,
        body: [
          `Invoice ${reference} for ${money(invoice.total_minor)} is attached.`,
          ...reason,
          ...replacing,
          request,
        ],
        asks,
      };
    case 'invoice_opened':
      return {
        subject: `Your invoice ${reference}`,
        body: [
          `${mail.workspace_name} has sent you an invoice for ${money(invoice.total_minor)}.`,
          ...reason,
          ...replacing,
          request,
        ],
        asks,
      };
    case 'invoice_reminder':
      return { ...reminderOf(mail), asks };
    case 'invoice_paid':
      return {
        subject: `Receipt for invoice ${reference}`,
        body: [
          `We received your payment of ${money(about!.amount_minor)} on ${dayInWords(about!.at, mail)}, by ${meansOf(about!)}.`,
          ...(asks ? [`${money(mail.outstanding_minor)} remains to be paid.`] : []),
        ],
        asks,
      };
    case 'invoice_voided':
      return {
        subject: `Invoice ${reference} is no longer due`,
        body: [
          `Invoice ${reference} for ${money(invoice.total_minor)} is no longer due${mail.ended_with_booking ? ', because the booking was cancelled' : ''}. Please do not pay it.`,
          ...reason,
          ...(replaced_by
            ? [`Invoice ${quotedNumber(replaced_by)} for ${money(replaced_by.total_minor)} takes its place.`]
            : []),
        ],
        asks: false,
      };
    case 'invoice_refunded':
      return {
        subject: `Refund for invoice ${reference}`,
        body: [
          refundOf(mail)!,
          ...reason,
          `${mail.refund_parts.length > 1 ? 'The credit notes are' : 'The credit note is'} attached, and on the page of the invoice.`,
        ],
        asks: false,
      };
  }
}

/** The amount of a refund; null if that is nothing. */
const refundOf = ({ refund_parts, invoice, workspace_name }: InvoiceMail): string | null =>
  describeRefundParts(refund_parts, invoice.currency, workspace_name, formatMoney);

/**
 * Whether a mail has something to say: it is not about an invoice that was voided before it was sent, and not about the
 * end of one that the payer never got.
 */
function hasPurpose(mail: InvoiceMail): boolean {
  const { kind, invoice, money } = mail;
  if (kind === 'invoice_voided') return invoice.sent_at !== null;
  if (kind === 'invoice_paid') return money !== null;
  if (kind === 'invoice_refunded') return refundOf(mail) !== null;
  return invoice.status !== 'void' && invoice.status !== 'cancelled';
}

/** Writes a mail about an invoice to its payer, with the link to it (docs/rules/mail.md#invoice-mail). */
export function renderInvoiceMail(mail: InvoiceMail, payUrl: string): MailContent | null {
  if (!hasPurpose(mail)) return null;
  const { invoice, payer, workspace_name } = mail;
  const { subject, body, asks } = contentOf(mail);
  return {
    id: mail.id,
    to: payer.email,
    subject: `${subject} (${workspace_name})`,
    body: (
      <>
        <Paragraphs of={[`Hello ${payer.name},`, ...body]} />
        <LinkButton label={asks ? 'View and pay invoice' : 'View invoice'} url={payUrl} />
        <p>{workspace_name} has invoiced:</p>
        <Facts of={factsOfInvoice(invoice, mail.booked_by)} />
      </>
    ),
  };
}

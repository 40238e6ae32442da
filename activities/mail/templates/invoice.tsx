import type { VNode } from 'preact';
import type { InvoiceMail } from '../../../db/queries/mail/invoice-mail.js';
import { kindOfRefusal } from '../../../domain/invoices/collection.js';
import { REFUND_ENDED } from '../../../domain/mail/kinds.js';
import { daysOverdue } from '../../../domain/invoices/invoice.js';
import { factsOfInvoice, describeMethod, quotedNumber } from '../../../domain/invoices/words.js';
import {
  describeRefundEnd,
  describeRefundParts,
  describeRefundReturn,
} from '../../../domain/payments/refund-parts.js';
import { MailFacts, LinkButton, Paragraphs, reasonGiven, type MailContent } from './parts.js';
import { getWords, type Words } from '../../../domain/words/words.js';

/** The formats of a mail: its words, amounts, and days in the workspace's zone, as on the PDF. */
function writing(words: Words, { invoice, time_zone, outstanding_minor }: InvoiceMail) {
  const { currency, due_at } = invoice;
  const day = (at: Date): string => words.day(at, { time_zone, currency });
  const money = (amount_minor: number): string => words.amount(amount_minor, currency);
  return { words, day, money, due: day(due_at), outstanding: money(outstanding_minor) };
}
type Writing = ReturnType<typeof writing>;

/**
 * Asks the payer to pay the outstanding amount, or says that no action is needed, because it is charged to a
 * card that has not been declined.
 */
function describePaymentRequest({ words, due, outstanding: amount }: Writing, mail: InvoiceMail): string {
  const { invoice, autopay_last4: last4, refusal_code } = mail;
  const isPast = invoice.due_at <= new Date();
  const isOverdue = daysOverdue(invoice.due_at, mail.time_zone, new Date()) > 0;
  if (last4 && !refusal_code)
    return isPast
      ? words.say('mail.charged_now', { amount, last4 })
      : words.say('mail.charged_on', { amount, last4, day: due });
  if (isOverdue) return words.say('mail.was_due', { amount, day: due });
  return words.say('mail.please_pay', { amount, day: due });
}

/** The day on which a declined card is charged again; null if it is not. */
function formatNextCharge({ day }: Writing, { invoice: { collection } }: InvoiceMail): string | null {
  return collection?.status === 'retrying' && collection.next_at ? day(new Date(collection.next_at)) : null;
}

/** A reminder of a declined card, or of a due date in the past or future. */
function buildReminder(writing: Writing, mail: InvoiceMail): { subject: string; body: string[] } {
  const { words, due: day, outstanding: amount } = writing;
  const { invoice, outstanding_minor, refusal_code, autopay_last4: last4 } = mail;
  const reference = quotedNumber(words, invoice);
  if (outstanding_minor === 0)
    return {
      subject: words.say('mail.invoice_subject', { reference }),
      body: [words.say('mail.invoice_has_been_paid')],
    };
  if (refusal_code && kindOfRefusal(refusal_code) === 'authenticate')
    return {
      subject: words.say('mail.bank_asks_subject', { reference }),
      body: [words.say('mail.bank_asks', { amount })],
    };
  if (refusal_code) {
    const next = formatNextCharge(writing, mail);
    return {
      subject: words.say('mail.declined_subject', { reference }),
      body: [
        next
          ? words.say('mail.declined_again', { amount, day: next })
          : words.say('mail.declined', { amount }),
      ],
    };
  }
  if (daysOverdue(invoice.due_at, mail.time_zone, new Date()) > 0)
    return {
      subject: words.say('mail.past_due_subject', { reference }),
      body: [words.say('mail.was_due', { amount, day })],
    };
  return {
    subject: words.say('mail.due_subject', { reference, day }),
    body: [
      last4
        ? words.say('mail.charged_on', { amount, last4, day })
        : words.say('mail.please_pay', { amount, day }),
    ],
  };
}

/** Subject and paragraphs. `asks`: the mail asks for a payment. */
function buildInvoiceContent(
  writing: Writing,
  mail: InvoiceMail,
): { subject: string; body: (string | VNode)[]; asks: boolean } {
  const { words, day, money, outstanding } = writing;
  const { invoice, money: about, replaced_by, replaces, workspace_name: name } = mail;
  const reference = quotedNumber(words, invoice);
  const total = money(invoice.total_minor);
  const asks = mail.outstanding_minor > 0;
  const request = asks ? describePaymentRequest(writing, mail) : words.say('mail.has_been_paid');
  const reason = reasonGiven(mail.reason, words.say('mail.wrote', { name }));
  const replacing = replaces
    ? [words.say('mail.replaces', { reference: quotedNumber(words, replaces) })]
    : [];
  switch (mail.kind) {
    case 'invoice':
      return {
        subject: words.say('mail.invoice_subject', { reference }),
        body: [
          words.say('mail.invoice_attached', { reference, amount: total }),
          ...reason,
          ...replacing,
          request,
        ],
        asks,
      };
    case 'invoice_opened':
      return {
        subject: words.say('mail.invoice_opened_subject', { reference }),
        body: [words.say('mail.invoice_opened', { name, amount: total }), ...reason, ...replacing, request],
        asks,
      };
    case 'invoice_reminder':
      return { ...buildReminder(writing, mail), asks };
    case 'invoice_paid':
      return {
        subject: words.say('mail.receipt_subject', { reference }),
        body: [
          words.say('mail.receipt', {
            amount: money(about!.amount_minor),
            day: day(about!.at),
            means: describeMethod(words, about!),
          }),
          ...(asks ? [words.say('mail.remains', { amount: outstanding })] : []),
        ],
        asks,
      };
    case 'invoice_voided':
      return {
        subject: words.say('mail.voided_subject', { reference }),
        body: [
          words.say(mail.ended_with_booking ? 'mail.voided_with_booking' : 'mail.voided', {
            reference,
            amount: total,
          }),
          ...reason,
          ...(replaced_by
            ? [
                words.say('mail.takes_its_place', {
                  reference: quotedNumber(words, replaced_by),
                  amount: money(replaced_by.total_minor),
                }),
              ]
            : []),
        ],
        asks: false,
      };
    case 'invoice_refunded':
      return {
        subject: words.say('mail.invoice_refund_subject', { reference }),
        body: [
          ...describeUnowed(writing, mail),
          describeRefundAmount(words, mail)!,
          ...reason,
          ...(mail.credit_notes > 0 ? [words.say('mail.credit_notes', { n: mail.credit_notes })] : []),
        ],
        asks: false,
      };
    case 'invoice_refund_ended':
      return { ...describeRefundEnd(words, mail.refund_parts[0]!, invoice.currency, name), asks: false };
    case 'invoice_refund_returned':
      return { ...describeRefundReturn(words, mail.refund_parts[0]!, invoice.currency, name), asks: false };
  }
}

/** Says that what is refunded was not owed, if it was not. */
function describeUnowed({ words, money }: Writing, { refund_purpose, refund_parts }: InvoiceMail): string[] {
  const amount = money(refund_parts.reduce((sum, { amount_minor }) => sum + amount_minor, 0));
  if (refund_purpose === 'late') return [words.say('mail.late_not_due', { amount })];
  return refund_purpose === 'excess' ? [words.say('mail.paid_excess', { amount })] : [];
}

/** Describes a refund; null if nothing is refunded. */
const describeRefundAmount = (
  words: Words,
  { refund_parts, invoice, workspace_name }: InvoiceMail,
): string | null => describeRefundParts(words, refund_parts, invoice.currency, workspace_name);

/**
 * Whether a mail still has a purpose. It has none if the invoice was voided before it was sent, or if it
 * reports the end of an invoice that the payer never received.
 */
function hasPurpose(words: Words, mail: InvoiceMail): boolean {
  const { kind, invoice, money } = mail;
  if (kind === 'invoice_voided') return invoice.sent_at !== null;
  if (kind === 'invoice_paid') return money !== null;
  if (kind === 'invoice_refunded') return describeRefundAmount(words, mail) !== null;
  if (REFUND_ENDED.includes(kind)) return true;
  return invoice.status !== 'void' && invoice.status !== 'cancelled';
}

/**
 * Writes a mail about an invoice to its payer, with the link to it (docs/rules/mail.md#invoice-mail). Null if
 * it has no purpose any more.
 */
export function renderInvoiceMail(mail: InvoiceMail, payUrl: string): MailContent | null {
  const words = getWords(mail.locale);
  if (!hasPurpose(words, mail)) return null;
  const { invoice, payer, workspace_name: name } = mail;
  const { subject, body, asks } = buildInvoiceContent(writing(words, mail), mail);
  return {
    id: mail.id,
    to: payer.email,
    told_refunds: mail.told_refunds,
    subject: words.say('mail.with_sender', { subject, name }),
    words,
    body: (
      <>
        <Paragraphs of={[words.say('mail.hello_name', { name: payer.name }), ...body]} />
        <LinkButton label={words.say(asks ? 'mail.view_and_pay' : 'mail.view')} url={payUrl} />
        <p>{words.say('mail.has_invoiced', { name })}</p>
        <MailFacts of={factsOfInvoice(words, invoice, mail.booked_by)} />
      </>
    ),
  };
}

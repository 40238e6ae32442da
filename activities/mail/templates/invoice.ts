import type { InvoiceMail } from '../../../db/repositories/mail/mail-content-queries.js';
import { formatMoney } from '../../../domain/money.js';
import type { MailMessage } from '../../gateways/mail.js';
import { paragraphs } from './html.js';

/** Writes a mail about an invoice to its payer (docs/rules/mail.md#invoice-mail). */
export function renderInvoiceMail(mail: InvoiceMail): MailMessage {
  const { invoice, payer, workspace_name, attachment } = mail;
  const { accounting_reference: reference, currency } = invoice;
  const money = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const due = mail.outstanding_minor > 0 && invoice.status !== 'paid' && invoice.status !== 'refunded';
  const { subject, body } = {
    invoice: {
      subject: `Invoice ${reference}`,
      body: [
        `Invoice ${reference} for ${money(invoice.total_minor)} is attached.`,
        due
          ? `Please pay ${money(mail.outstanding_minor)} by ${invoice.due_at.toISOString().slice(0, 10)}.`
          : 'It has been paid. No action is needed.',
      ],
    },
    invoice_refunded: {
      subject: `A refund for invoice ${reference}`,
      body: [`${money(mail.refund_minor ?? 0)} has been refunded to the card or account you paid with.`],
    },
  }[mail.kind];
  const lines = [`Hello ${payer.name},`, ...body, workspace_name];
  return {
    id: mail.id,
    to: payer.email,
    subject: `${subject} (${workspace_name})`,
    text: lines.join('\n\n'),
    html: paragraphs(lines),
    ...(attachment && {
      pdf: { name: `${reference.split(' — ')[0]!.replace('#', '')}.pdf`, content: attachment },
    }),
  };
}

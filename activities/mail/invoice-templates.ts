import type { PendingInvoiceMail } from '../../db/repositories/mail/invoice-mails.js';
import { formatMoney } from '../../domain/money.js';
import type { Letter } from '../gateways/mail.js';
import { escapeHtml } from './booking-templates.js';

/** Writes the letter about an invoice to its payer; null where they have no address any more. */
export function writeInvoiceLetter(mail: PendingInvoiceMail): Letter | null {
  const { invoice, payer, workspace_name, attachment } = mail;
  if (!payer.email) return null;
  const { accounting_reference: reference, currency } = invoice;
  const money = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const due = mail.outstanding_minor > 0 && invoice.status !== 'paid' && invoice.status !== 'refunded';
  const { subject, paragraphs } = {
    invoice: {
      subject: `Invoice ${reference}`,
      paragraphs: [
        `Attached is invoice ${reference} over ${money(invoice.total_minor)}.`,
        due
          ? `${money(mail.outstanding_minor)} is to be paid by ${invoice.due_at.toISOString().slice(0, 10)}.`
          : 'It is paid; you owe nothing.',
      ],
    },
    payment_refunded: {
      subject: `A refund for invoice ${reference}`,
      paragraphs: [
        `${money(mail.refund_minor ?? 0)} has been given back to the card or account it came from.`,
      ],
    },
  }[mail.kind];
  const lines = [`Hello ${payer.name},`, ...paragraphs, workspace_name];
  return {
    id: mail.id,
    to: payer.email,
    subject: `${subject} (${workspace_name})`,
    text: lines.join('\n\n'),
    html: lines.map((line) => `<p>${escapeHtml(line)}</p>`).join('\n'),
    ...(attachment && {
      pdf: { name: `${reference.split(' — ')[0]!.replace('#', '')}.pdf`, content: attachment },
    }),
  };
}

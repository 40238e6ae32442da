import test from 'ava';
import { layOut } from '../../../activities/mail/templates/layout.js';
import { renderInvoiceMail } from '../../../activities/mail/templates/invoice.js';
import type { InvoiceMail } from '../../../db/queries/mail/invoice-mail.js';
import type { InvoiceMailKind } from '../../../domain/mail/kinds.js';
import { message } from '../../support/message.js';
import { invoiceMail, TEXTS } from './long-mails.js';

async function writeText(kind: InvoiceMailKind, changes: Partial<InvoiceMail>): Promise<string> {
  const mail = invoiceMail(kind, TEXTS.long, { locale: 'en', ...changes });
  return (await layOut(renderInvoiceMail(mail, 'https://pay')!, null)).text;
}

test('a mail about a refund says why money that was not owed came back, and names only the documents that it has', async (t) => {
  const part = { amount_minor: 30_00, status: 'succeeded', by_hand: false } as const;
  const refunded = (changes: Partial<InvoiceMail>) =>
    writeText('invoice_refunded', { refund_parts: [part], refund_purpose: 'request', ...changes });
  const late = await refunded({ refund_purpose: 'late', credit_notes: 0 });
  t.true(late.includes(message('mail.late_not_due', { amount: '€30.00' })), late);
  t.notRegex(late, /credit note|attached|Your booking/);
  const excess = await refunded({ refund_purpose: 'excess', credit_notes: 0 });
  t.true(excess.includes(message('mail.paid_excess', { amount: '€30.00' })), excess);
  const credited = await refunded({
    refund_purpose: 'adjustment',
    refund_parts: [part, part],
    credit_notes: 1,
  });
  t.true(credited.includes(message('mail.credit_notes', { n: 1 })), credited);
  t.notRegex(credited, /due|more than/);
});

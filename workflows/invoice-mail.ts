import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { InvoiceMailInput } from './contract.js';

const { sendInvoiceMail } = proxyActivities<Activities>(OUTSIDE_CALL);

/** One mail to the payer of an invoice, tried until the mail server takes it. */
export async function invoiceMail({ mailId }: InvoiceMailInput): Promise<void> {
  const attention = new Attention();
  attention.waitFor('Sending a mail to the payer of an invoice.');
  await attention.keepTrying('sending mail', () => sendInvoiceMail(mailId));
}

import { type IdempotencyKey, bindKey } from '../../db/repositories/access/idempotency.js';
import type { InvoiceRow } from '../../db/repositories/billing/invoice-queries.js';
import { findPayer } from '../../db/repositories/billing/payer-queries.js';
import { enqueueMail } from '../../db/repositories/mail/mails.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import { newId } from '../../db/ids.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../app.js';
import { renderInvoice } from './pdf.js';

/** `GET /v1/invoices/{id}.pdf`: the invoice as it is now. */
export async function pdfOf({ db }: Pick<ApiDependencies, 'db'>, invoice: InvoiceRow): Promise<Buffer> {
  const workspace = (await findWorkspace(db.manager, invoice.workspace_id))!;
  return renderInvoice(invoice, workspace, await findPayer(db.manager, invoice.id));
}

/**
 * `POST /v1/invoices/{id}/send`: mails the invoice, as PDF, to its payer. Errors: 409 `invoice_not_open` for one that
 * nobody has to have, 422 where there is no address.
 */
export async function sendInvoice(
  deps: Pick<ApiDependencies, 'db'>,
  invoice: InvoiceRow,
  idempotency: IdempotencyKey | null,
): Promise<{ invoice_id: string; sent_to: string }> {
  const { id: invoice_id, workspace_id, status } = invoice;
  if (status === 'draft' || status === 'cancelled' || status === 'void')
    throw new ApiError('invoice_not_open', `An invoice that is ${status} is not sent.`);
  const { email } = await findPayer(deps.db.manager, invoice_id);
  if (!email) {
    const message = 'The payer has no mail address: set the billing_email of the company.';
    throw new ApiError('validation_failed', message, { param: 'billing_email' });
  }
  const attachment = await pdfOf(deps, invoice);
  await transaction(deps.db, async (tx) => {
    const id = newId('mail');
    if ((await bindKey(tx, workspace_id, idempotency, id)) !== id) return;
    await enqueueMail(tx, { workspace_id, kind: 'invoice', invoice_id, about: id, attachment });
  });
  return { invoice_id, sent_to: email };
}

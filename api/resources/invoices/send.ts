import { type IdempotencyKey, bindKey } from '../../../commands/api-keys/idempotency.js';
import { findLiveBooking, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPayer } from '../../../db/queries/invoices/payer.js';
import { assertNotJustOpened, countRequestedMail } from '../../../commands/mail/mail-limits.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { newId } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError, refuse } from '../../../domain/errors.js';
import type { MailRequester } from '../../../commands/mail/mail-limits.js';
import { whyNotSend } from '../../../domain/invoices/invoice.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { sendPdf } from '../../http/files.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { listDocuments } from '../../../db/queries/invoices/document.js';
import { drawDocument } from '../../../commands/invoices/pdf/drawing.js';
import { invoiceOf } from './read.js';

type Deps = Pick<ApiDependencies, 'db' | 'mailQuotas'>;

/** `GET /v1/invoices/{id}.pdf`. Errors: 404 `invoice_not_found`, also for one that was not issued. */
export function pdf(deps: Deps): Handler {
  return async (ctx) => {
    if (!(await sendInvoicePdf(ctx, deps, await invoiceOf(ctx, deps))))
      throw new ApiError('invoice_not_found', 'The invoice has no PDF: it has not been issued.');
  };
}

/** `POST /v1/invoices/{id}/send` */
export function send(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = await sendInvoice(deps, ctx.state.principal, await invoiceOf(ctx, deps), idempotencyOf(ctx));
  };
}

/**
 * Responds with the first document of an invoice as PDF: a supplement, if the invoice itself cost nothing.
 * False for one that was not issued: it has none.
 */
export async function sendInvoicePdf(
  ctx: ApiContext,
  { db }: Pick<Deps, 'db'>,
  invoice: InvoiceRow,
): Promise<boolean> {
  const [document] = await listDocuments(db.manager, invoice.id);
  if (document) sendPdf(ctx, document.number, await drawDocument(document));
  return document !== undefined;
}

/**
 * Emails an invoice to its payer as a PDF (docs/rules/mail.md#invoice-mail). Errors: 409
 * `invoice_not_open` for an invoice that was not issued, or is void, `invoice_managed_by_booking` while
 * its booking is pending; 422 if the payer has no email address; 429 if it was sent there a short time
 * ago, or mailed when it was opened.
 */
async function sendInvoice(
  deps: Deps,
  by: MailRequester,
  invoice: InvoiceRow,
  idempotency: IdempotencyKey | null,
): Promise<{ invoice_id: string; sent_to: string }> {
  const { id: invoice_id, workspace_id } = invoice;
  const { email } = await findPayer(deps.db.manager, invoice_id);
  refuse(whyNotSend(invoice, await findLiveBooking(deps.db.manager, invoice), email));
  await transaction(deps.db, async (tx) => {
    const id = newId('mail');
    if ((await bindKey(tx, workspace_id, idempotency, id)) !== id) return;
    await assertNotJustOpened(tx, deps.mailQuotas, invoice_id);
    await enqueueMail(tx, { workspace_id, kind: 'invoice', invoice_id, about: id });
    await countRequestedMail(tx, by, deps.mailQuotas, {
      workspace_id,
      kind: 'invoice',
      email: email!,
      about: invoice_id,
    });
  });
  return { invoice_id, sent_to: email! };
}

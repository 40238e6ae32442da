import { type IdempotencyKey, bindKey } from '../../../commands/access/idempotency.js';
import { listInvoiceMoney } from '../../../db/queries/billing/invoice-money.js';
import type { InvoiceRow } from '../../../db/queries/billing/invoice.js';
import { findPayer } from '../../../db/queries/billing/payer.js';
import { assertNotJustOpened, countRequestedMail } from '../../../commands/mail/mail-limits.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { newId } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { refuse } from '../../../domain/errors.js';
import { whyNotSend } from '../../../domain/invoice.js';
import { shortReference } from '../../../domain/invoice-words.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { renderInvoice } from './pdf.js';
import { printedOf } from './printed.js';
import { invoiceOf } from './read.js';

type Deps = Pick<ApiDependencies, 'db' | 'mailQuotas'>;

/** `GET /v1/invoices/{id}.pdf` */
export function pdf(deps: Deps): Handler {
  return async (ctx) => {
    const invoice = await invoiceOf(ctx, deps);
    ctx.type = 'application/pdf';
    ctx.set('Content-Disposition', `inline; filename="${invoiceFileName(invoice)}"`);
    ctx.body = await pdfOf(deps, invoice);
  };
}

/** `POST /v1/invoices/{id}/send` */
export function send(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = await sendInvoice(deps, await invoiceOf(ctx, deps), idempotencyOf(ctx));
  };
}

/** The current state of an invoice as PDF. */
export async function pdfOf({ db }: Pick<Deps, 'db'>, invoice: InvoiceRow): Promise<Buffer> {
  const workspace = (await findWorkspace(db.manager, invoice.workspace_id))!;
  const printed = await printedOf(db.manager, invoice);
  const money = await listInvoiceMoney(db.manager, invoice.id);
  return renderInvoice(
    invoice,
    workspace,
    printed,
    money.filter(({ is_pending }) => !is_pending),
  );
}

/** `Holdfast 5.pdf` */
export const invoiceFileName = (invoice: InvoiceRow): string =>
  `${shortReference(invoice).replace('#', '')}.pdf`;

/**
 * Emails an invoice to its payer as a PDF (docs/rules/mail.md#invoice-mail). Errors: 409 `invoice_not_open` for a draft,
 * cancelled or void invoice; 422 if the payer has no email address; 429 if it was sent there a short
 * time ago, or mailed when it was opened.
 */
async function sendInvoice(
  deps: Deps,
  invoice: InvoiceRow,
  idempotency: IdempotencyKey | null,
): Promise<{ invoice_id: string; sent_to: string }> {
  const { id: invoice_id, workspace_id } = invoice;
  const { email } = await findPayer(deps.db.manager, invoice_id);
  refuse(whyNotSend(invoice, email));
  const attachment = await pdfOf(deps, invoice);
  await transaction(deps.db, async (tx) => {
    const id = newId('mail');
    if ((await bindKey(tx, workspace_id, idempotency, id)) !== id) return;
    await assertNotJustOpened(tx, deps.mailQuotas, invoice_id);
    await enqueueMail(tx, { workspace_id, kind: 'invoice', invoice_id, about: id, attachment });
    await countRequestedMail(tx, deps.mailQuotas, {
      workspace_id,
      kind: 'invoice',
      email: email!,
      about: invoice_id,
    });
  });
  return { invoice_id, sent_to: email! };
}

import { listDocuments } from '../../../db/queries/invoices/document.js';
import { drawDocument } from '../../../commands/invoices/pdf/drawing.js';
import { drawRefund } from '../../../commands/invoices/pdf/drawing.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { findPayment } from '../../../db/queries/payments/payment.js';
import { listRefunds } from '../../../db/queries/payments/refund.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { sendPdf } from '../../http/files.js';
import { findVisibleInvoice } from '../invoices/read.js';
import { isPaymentId } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

/**
 * `GET /v1/payments/{id}.pdf`: the credit note of a refund, for callers who may see its invoice. Errors: 404
 * `payment_not_found` for anything else than a refund that has succeeded.
 */
export function pdf(deps: Deps): Handler {
  const { manager } = deps.db;
  return async (ctx) => {
    const { principal } = ctx.state;
    const { id } = ctx.params;
    const refund = isPaymentId(id!) ? await findPayment(manager, principal.workspace_id, id!) : null;
    const invoice = refund?.invoice_id
      ? await findVisibleInvoice(manager, principal, refund.invoice_id)
      : null;
    const file = invoice && (await refundFile(deps, invoice, id!));
    if (!file) throw new ApiError('payment_not_found', 'No such refund, or it has not succeeded.');
    sendPdf(ctx, file.name, file.content);
  };
}

/**
 * The credit note of a successful refund of an invoice, or the confirmation of one that was never billed;
 * null if there is no such refund. The name is without its ending.
 */
export async function refundFile(
  { db }: Deps,
  invoice: InvoiceRow,
  refundId: string,
): Promise<{ name: string; content: Buffer } | null> {
  const documents = await listDocuments(db.manager, invoice.id);
  const refunds = await listRefunds(db.manager, { invoice_id: invoice.id });
  const refund = refunds.find(({ id }) => id === refundId);
  if (!refund) return null;
  const note = documents.find(({ number }) => number === refund.credit_note);
  if (note) return { name: note.number, content: await drawDocument(note) };
  return { name: `Refund ${refund.id}`, content: await drawRefund(db.manager, refund, invoice) };
}

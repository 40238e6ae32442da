import { findPayment } from '../../../db/queries/billing/payment.js';
import { listRefundDocuments } from '../../../db/queries/billing/refund.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { findVisibleInvoice } from '../invoices/read.js';
import { refundFileName, refundPdf } from '../invoices/refund-pdf.js';
import { isPaymentId } from './shape.js';

/**
 * `GET /v1/payments/{id}.pdf`: the credit note of a refund, for callers who may see its invoice. Errors: 404
 * `payment_not_found` for anything else than a refund that has succeeded.
 */
export function pdf({ db: { manager } }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { id } = ctx.params;
    const refund = isPaymentId(id!) ? await findPayment(manager, principal.workspace_id, id!) : null;
    const invoice = refund?.invoice_id
      ? await findVisibleInvoice(manager, principal, refund.invoice_id)
      : null;
    const documents = invoice ? await listRefundDocuments(manager, { invoice_id: invoice.id }) : [];
    const document = documents.find((each) => each.id === id);
    if (!invoice || !document)
      throw new ApiError('payment_not_found', 'No such refund, or it has not succeeded.');
    ctx.type = 'application/pdf';
    ctx.set('Content-Disposition', `inline; filename="${refundFileName(document, invoice)}"`);
    ctx.body = await refundPdf(manager, document, invoice);
  };
}

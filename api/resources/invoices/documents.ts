import { drawDocument, drawStatement } from '../../../commands/invoices/pdf/drawing.js';
import { listDocuments as findDocuments } from '../../../db/queries/invoices/document.js';
import { findStatementOfInvoice } from '../../../db/queries/invoices/issued-statement.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { isStorable } from '../../http/fields.js';
import { sendPdf } from '../../http/files.js';
import { invoiceOf, presentDocuments, seesStatementsOf } from './read.js';

type Deps = Pick<ApiDependencies, 'db' | 'publicUrl'>;

/** `GET /v1/invoices/{id}/documents`: what was issued for an invoice (docs/rules/billing.md#documents). */
export function listDocuments(deps: Deps): Handler {
  return async (ctx) => {
    const invoice = await invoiceOf(ctx, deps);
    const { principal } = ctx.state;
    ctx.body = { data: presentDocuments(principal, invoice, deps.publicUrl) };
  };
}

/**
 * `GET /v1/invoices/{id}/documents/{number}.pdf`. Errors: 404 `invoice_not_found`, also for another number.
 */
export function documentPdf(deps: Deps): Handler {
  return async (ctx) => {
    const { id, ...payer } = await invoiceOf(ctx, deps);
    const { number } = ctx.params as { number: string };
    const statement =
      isStorable(number) &&
      seesStatementsOf(ctx.state.principal, payer) &&
      (await findStatementOfInvoice(deps.db.manager, id, number));
    if (statement) return sendPdf(ctx, number, await drawStatement(statement));
    const document = (await findDocuments(deps.db.manager, id)).find((each) => each.number === number);
    if (!document) throw new ApiError('invoice_not_found', 'The invoice has no document with this number.');
    sendPdf(ctx, document.number, await drawDocument(document));
  };
}

import { documentsOf, issueOldDocuments } from '../../../commands/billing/invoice-documents.js';
import { drawDocument, drawStatement } from '../../../commands/paper/drawing.js';
import { findStatementOfInvoice } from '../../../db/queries/billing/issued-statement.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { isStorable } from '../../http/fields.js';
import { sendPdf } from '../../http/files.js';
import { findVisibleInvoice, invoiceOf, presentDocuments, seesStatementsOf } from './read.js';

type Deps = Pick<ApiDependencies, 'db' | 'publicUrl'>;

/** `GET /v1/invoices/{id}/documents`: what was issued for an invoice (docs/rules/billing.md#documents). */
export function listDocuments(deps: Deps): Handler {
  return async (ctx) => {
    const { id } = await invoiceOf(ctx, deps);
    await issueOldDocuments(deps.db, [id]);
    const { principal } = ctx.state;
    const invoice = (await findVisibleInvoice(deps.db.manager, principal, id))!;
    ctx.body = { data: presentDocuments(principal, invoice, deps.publicUrl) };
  };
}

/** `GET /v1/invoices/{id}/documents/{number}.pdf`. Errors: 404 `invoice_not_found`, also for another number. */
export function documentPdf(deps: Deps): Handler {
  return async (ctx) => {
    const { id, ...payer } = await invoiceOf(ctx, deps);
    const { number } = ctx.params as { number: string };
    const statement =
      isStorable(number) &&
      seesStatementsOf(ctx.state.principal, payer) &&
      (await findStatementOfInvoice(deps.db.manager, id, number));
    if (statement) return sendPdf(ctx, number, await drawStatement(statement));
    const document = (await documentsOf(deps.db, id)).find((each) => each.number === number);
    if (!document) throw new ApiError('invoice_not_found', 'The invoice has no document with this number.');
    sendPdf(ctx, document.number, await drawDocument(document));
  };
}

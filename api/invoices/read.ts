import { findInvoice, listInvoices, type InvoiceRow } from '../../db/repositories/billing/invoice-queries.js';
import { ApiError } from '../../domain/errors.js';
import { presentInvoice } from '../../domain/presenters/invoice.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, Handler } from '../http/context.js';
import { decodeCursor, page } from '../http/cursor.js';
import { isInvoiceId, type ListQuery } from './schema.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** The invoice in the path. Errors: 404 `invoice_not_found`. */
export async function invoiceOf(
  { state: { principal }, params: { id } }: ApiContext,
  { db }: Deps,
): Promise<InvoiceRow> {
  const invoice = isInvoiceId(id!) ? await findInvoice(db.manager, principal.workspace_id, id!) : null;
  if (!invoice) throw new ApiError('invoice_not_found', 'No such invoice.');
  return invoice;
}

/** `GET /v1/invoices/{id}` */
export function get(deps: Deps): Handler {
  return async (ctx) => {
    ctx.body = presentInvoice(await invoiceOf(ctx, deps));
  };
}

/** `GET /v1/invoices`, newest first. */
export function list({ db }: Deps): Handler {
  return async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query as ListQuery;
    const after = decodeCursor(cursor, isInvoiceId);
    const rows = await listInvoices(db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (row) => row.created_at, presentInvoice);
  };
}

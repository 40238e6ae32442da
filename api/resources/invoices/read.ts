import { findInvoice, listInvoices, type InvoiceRow } from '../../../db/queries/billing/invoice.js';
import type { Tx } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { presentInvoice, type InvoiceFacts } from '../../../domain/presenters/invoice.js';
import { can, type Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { decodeCursor, page } from '../../http/cursor.js';
import { isInvoiceId, type ListQuery } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;
export type PresentingDependencies = Pick<ApiDependencies, 'payLinks'>;

/**
 * An invoice as the API returns it. Events do not carry `pay_url`: they are stored and sent on, and who has the link can
 * read the invoice.
 */
export const presentWithLink = ({ payLinks }: PresentingDependencies, invoice: InvoiceFacts) => ({
  ...presentInvoice(invoice),
  pay_url: invoice.status === 'draft' ? null : payLinks.linkTo(invoice.id),
});

/** The payer that a caller may see invoices of: all if undefined (docs/rules/members.md#roles). */
const payerFor = ({ role, member_id }: Principal): string | undefined =>
  can(role, 'read_billing') ? undefined : member_id;

/** An invoice of the caller's workspace; null if there is none, or the caller may not see it. */
export async function findVisibleInvoice(
  tx: Tx,
  principal: Principal,
  id: string,
): Promise<InvoiceRow | null> {
  const invoice = await findInvoice(tx, principal.workspace_id, id);
  const payer = payerFor(principal);
  const isVisible =
    !payer || (invoice?.member_id === payer && !invoice.company_id && invoice.status !== 'draft');
  return isVisible ? invoice : null;
}

/** The invoice in the path, if the caller may see it. Errors: 404 `invoice_not_found`. */
export async function invoiceOf(
  { state: { principal }, params: { id } }: ApiContext,
  { db }: Deps,
): Promise<InvoiceRow> {
  const invoice = isInvoiceId(id!) ? await findVisibleInvoice(db.manager, principal, id!) : null;
  if (!invoice) throw new ApiError('invoice_not_found', 'No such invoice.');
  return invoice;
}

/** `GET /v1/invoices/{id}` */
export function get(deps: Deps & PresentingDependencies): Handler {
  return async (ctx) => {
    ctx.body = presentWithLink(deps, await invoiceOf(ctx, deps));
  };
}

/** `GET /v1/invoices`, newest first. Members get their own. */
export function list(deps: Deps & PresentingDependencies): Handler<unknown, ListQuery> {
  return async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query;
    const after = decodeCursor(cursor, isInvoiceId);
    const rows = await listInvoices(deps.db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      paid_by: payerFor(ctx.state.principal),
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(
      rows,
      limit,
      (row) => row.created_at,
      (row) => presentWithLink(deps, row),
    );
  };
}

import {
  findInvoice,
  listInvoices,
  type InvoiceFilter,
  type InvoiceRow,
} from '../../../db/queries/invoices/invoice.js';
import type { Tx } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { presentDocument, presentStatement } from '../../../domain/invoices/document-presenter.js';
import { presentInvoice } from '../../../domain/invoices/invoice-presenter.js';
import { can, type Principal } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { decodeCursor, page } from '../../http/cursor.js';
import { isInvoiceId, type ListQuery } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;
type Caller = Pick<Principal, 'role' | 'member_id'>;
export type PresentingDependencies = Pick<ApiDependencies, 'payLinks' | 'publicUrl'>;

/**
 * An invoice as the API returns it to a caller. Events do not carry `pay_url`: they are stored and sent on,
 * and who has the link can read the invoice.
 */
export const presentWithLink = (
  { payLinks, publicUrl }: PresentingDependencies,
  caller: Caller,
  invoice: InvoiceRow,
) => ({
  ...presentInvoice(invoice),
  documents: presentDocuments(caller, invoice, publicUrl),
  pay_url: invoice.status === 'draft' ? null : payLinks.linkTo(invoice),
});

/**
 * The documents of an invoice, and the statements that list it if the caller may see them,
 * as the API returns them.
 */
export function presentDocuments(caller: Caller, invoice: InvoiceRow, publicUrl: string) {
  const { id, documents, statements } = invoice;
  const url = `${publicUrl}/v1/invoices/${id}/documents`;
  return [
    ...documents.map((document) => presentDocument(document, url)),
    ...(seesStatementsOf(caller, invoice) ? statements : []).map((statement) =>
      presentStatement(statement, url),
    ),
  ];
}

/**
 * Whether a caller may see the statements of a payer: they list all that the payer was invoiced and paid, so
 * who sees the invoices of bookings only does not.
 */
export const seesStatementsOf = (
  { role, member_id }: Caller,
  payer: { member_id: string | null; company_id: string | null },
): boolean => can(role, 'read_billing') || (payer.member_id === member_id && !payer.company_id);

/** The invoices that a caller may see: all if undefined (docs/rules/members.md#roles). */
export const visibleTo = ({ role, member_id }: Caller): InvoiceFilter['visible_to'] =>
  can(role, 'read_billing') ? undefined : { member_id, bookings: can(role, 'read_booking_invoices') };

/** An invoice of the caller's workspace; null if there is none, or the caller may not see it. */
export async function findVisibleInvoice(
  tx: Tx,
  principal: Principal,
  id: string,
): Promise<InvoiceRow | null> {
  return findInvoice(tx, principal.workspace_id, id, visibleTo(principal));
}

/** Whether a caller of its workspace may see the invoice of a booking. */
export function seesInvoiceOfBooking(
  { role, member_id }: Caller,
  invoice: Pick<InvoiceRow, 'member_id' | 'company_id'>,
): boolean {
  return can(role, 'read_booking_invoices') || (invoice.member_id === member_id && !invoice.company_id);
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
    ctx.body = presentWithLink(deps, ctx.state.principal, await invoiceOf(ctx, deps));
  };
}

/** `GET /v1/invoices`, newest first. Members get their own, the front desk also those of bookings. */
export function list(deps: Deps & PresentingDependencies): Handler<unknown, ListQuery> {
  return async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query;
    const { principal } = ctx.state;
    const after = decodeCursor(cursor, isInvoiceId);
    const rows = await listInvoices(deps.db.manager, {
      ...filter,
      workspace_id: principal.workspace_id,
      visible_to: visibleTo(principal),
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(
      rows,
      limit,
      (row) => row.created_at,
      (row) => presentWithLink(deps, principal, row),
    );
  };
}

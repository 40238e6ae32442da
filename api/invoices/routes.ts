import Router from '@koa/router';
import { isId, newId } from '../../db/ids.js';
import { bindKey } from '../../db/repositories/access/idempotency.js';
import { markPaid, voidManually } from '../../db/repositories/billing/invoice-payments.js';
import { findInvoice, type InvoiceRow, listInvoices } from '../../db/repositories/billing/invoice-queries.js';
import { insertInvoice, type NewInvoice } from '../../db/repositories/billing/invoices.js';
import { findPayment } from '../../db/repositories/billing/payment-queries.js';
import { findCompany } from '../../db/repositories/members/company-queries.js';
import { memberExists } from '../../db/repositories/members/member-queries.js';
import { audit } from '../../db/repositories/workspaces/audit.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import { MAX_INVOICE_MINOR, priceLines, totalsOf, type InvoiceLine } from '../../domain/invoice.js';
import { presentInvoice } from '../../domain/presenters/invoice.js';
import { presentPayment } from '../../domain/presenters/payment.js';
import type { ApiDependencies } from '../app.js';
import { authenticated, may } from '../http/auth.js';
import { route, type ApiContext, type Handler } from '../http/context.js';
import { decodeCursor, page } from '../http/cursor.js';
import { createOnce, idempotencyOf } from '../http/idempotency.js';
import { validBody, validQuery } from '../http/validate.js';
import { adjust } from './adjust.js';
import { syncInvoiceInline } from './accounting.js';
import { openCheckout, withoutCheckout } from './checkout.js';
import { pdfOf, sendInvoice } from './send.js';
import * as schema from './schema.js';

/** Invoices (spec.md, "Invoices and payments"; decisions.md, same). Amounts in minor units. */
export function invoiceRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();
  const signedIn = authenticated(deps);

  async function invoiceOf({ state: { principal }, params: { id } }: ApiContext): Promise<InvoiceRow> {
    const invoice = isId('inv', id!) ? await findInvoice(db.manager, principal.workspace_id, id!) : null;
    if (!invoice) throw new ApiError('invoice_not_found', 'There is no such invoice.');
    return invoice;
  }

  const list: Handler = async (ctx) => {
    const { cursor, limit, ...filter } = ctx.state.query as schema.ListQuery;
    const after = cursor ? decodeCursor(cursor, schema.isInvoiceId) : undefined;
    const rows = await listInvoices(db.manager, {
      ...filter,
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (row) => row.created_at, presentInvoice);
  };

  const get: Handler = async (ctx) => {
    ctx.body = presentInvoice(await invoiceOf(ctx));
  };

  /** Errors: 404 `company_not_found`, `member_not_found`. */
  async function assertPayer(workspaceId: string, body: schema.CreateBody): Promise<void> {
    if (body.company_id && !(await findCompany(db.manager, workspaceId, body.company_id)))
      throw new ApiError('company_not_found', 'There is no such company.', { param: 'company_id' });
    if (body.member_id && !(await memberExists(db.manager, workspaceId, body.member_id)))
      throw new ApiError('member_not_found', 'There is no such member.', { param: 'member_id' });
  }

  function assertTotal(lines: InvoiceLine[]): void {
    const { total_minor } = totalsOf(lines);
    if (total_minor > 0 && total_minor <= MAX_INVOICE_MINOR) return;
    const message = total_minor > 0 ? 'The invoice comes to too much.' : 'The invoice comes to nothing.';
    throw new ApiError('validation_failed', message, { param: 'lines' });
  }

  const create: Handler = async (ctx) => {
    const body = ctx.state.body as schema.CreateBody;
    const { workspace_id } = ctx.state.principal;
    const workspace = (await findWorkspace(db.manager, workspace_id))!;
    const lines = priceLines(body.lines, workspace.tax_codes);
    assertTotal(lines);
    await assertPayer(workspace_id, body);
    const id = newId('inv');
    const invoice: NewInvoice = {
      id,
      workspace_id,
      kind: 'ad_hoc',
      currency: body.currency,
      due_at: body.due_at,
      company_id: body.company_id ?? null,
      member_id: body.member_id ?? null,
      reference: body.reference ?? null,
      created_at: new Date(),
      lines,
    };
    await createOnce(ctx, db, id, {
      make: (tx) => insertInvoice(tx, invoice),
      find: async (tx, id) => presentInvoice((await findInvoice(tx, workspace_id, id))!),
    });
  };

  const pay: Handler = async (ctx) => {
    const invoice = await invoiceOf(ctx);
    const { amount_minor, method, paid_at = new Date(), reference } = ctx.state.body as schema.MarkPaidBody;
    if (paid_at.getTime() > Date.now() + 60_000)
      throw new ApiError('validation_failed', 'paid_at lies in the future.', { param: 'paid_at' });
    const { workspace_id } = invoice;
    const idempotency = idempotencyOf(ctx);
    const id = newId('pay');
    const paid = { id, amount_minor, method, paid_at, reference: reference || null };
    const paymentId = await withoutCheckout(deps, invoice.id, () =>
      transaction(db, async (tx) => {
        const bound = await bindKey(tx, workspace_id, idempotency, id);
        if (bound === id) await markPaid(tx, invoice.id, paid);
        return bound;
      }),
    );
    ctx.status = 200;
    ctx.body = {
      invoice: presentInvoice(await invoiceOf(ctx)),
      payment: presentPayment((await findPayment(db.manager, workspace_id, paymentId))!),
    };
  };

  const makeVoid: Handler = async (ctx) => {
    const invoice = await invoiceOf(ctx);
    const { reason, audit_note } = ctx.state.body as schema.VoidBody;
    await withoutCheckout(deps, invoice.id, () =>
      transaction(db, async (tx) => {
        if (!(await voidManually(tx, invoice.id))) return;
        const details = { reason: reason || null, audit_note: audit_note || null };
        await audit(tx, ctx.state.principal, { action: 'invoice.voided', object: invoice.id, details });
      }),
    );
    await syncInvoiceInline(deps, invoice);
    ctx.status = 200;
    ctx.body = presentInvoice(await invoiceOf(ctx));
  };

  const pdf: Handler = async (ctx) => {
    const invoice = await invoiceOf(ctx);
    ctx.type = 'application/pdf';
    ctx.set('Content-Disposition', `inline; filename="${invoice.id}.pdf"`);
    ctx.body = await pdfOf(deps, invoice);
  };

  const send: Handler = async (ctx) => {
    ctx.body = await sendInvoice(deps, await invoiceOf(ctx), idempotencyOf(ctx));
  };

  const checkout: Handler = async (ctx) => {
    const invoice = await invoiceOf(ctx);
    ctx.status = 200;
    ctx.body = await openCheckout(deps, invoice.id);
  };

  const adjustment: Handler = async (ctx) => {
    const { body, created } = await adjust(deps, ctx, await invoiceOf(ctx));
    ctx.status = created ? 201 : 200;
    ctx.body = { ...body, invoice: presentInvoice(await invoiceOf(ctx)) };
  };

  const mayRead = may('billing:read', 'read_billing');
  const mayWrite = may('billing:write', 'write_billing');
  const { createSchema, listSchema, markPaidSchema, voidSchema, adjustSchema, emptySchema } = schema;
  router.get('/v1/invoices', ...route(signedIn, mayRead, validQuery(listSchema), list));
  router.post('/v1/invoices', ...route(signedIn, mayWrite, validBody(createSchema), create));
  router.get('/v1/invoices/:id.pdf', ...route(signedIn, mayRead, pdf));
  router.get('/v1/invoices/:id', ...route(signedIn, mayRead, get));
  router.post('/v1/invoices/:id/mark-paid', ...route(signedIn, mayWrite, validBody(markPaidSchema), pay));
  router.post('/v1/invoices/:id/void', ...route(signedIn, mayWrite, validBody(voidSchema), makeVoid));
  router.post('/v1/invoices/:id/send', ...route(signedIn, mayWrite, validBody(emptySchema), send));
  router.post('/v1/invoices/:id/checkout', ...route(signedIn, mayWrite, validBody(emptySchema), checkout));
  router.post(
    '/v1/invoices/:id/adjustments',
    ...route(signedIn, mayWrite, validBody(adjustSchema), adjustment),
  );
  return router;
}

import { voidManually } from '../../../commands/invoices/payments.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { syncInvoiceInline } from './accounting.js';
import { withClosedCheckout } from './checkout.js';
import { invoiceOf, presentWithLink, type PresentingDependencies } from './read.js';
import type { VoidBody } from './shape.js';

/**
 * `POST /v1/invoices/{id}/void` (docs/rules/billing.md#voiding). A void invoice is returned as it is. Errors:
 * 404 `invoice_not_found`; 409 `invoice_managed_by_booking`, `invoice_not_mutable`, `invoice_not_open`,
 * `invoice_not_voidable`; 503.
 */
export function voidInvoice(
  deps: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'log'> & PresentingDependencies,
): Handler<VoidBody> {
  return async (ctx) => {
    const invoice = await invoiceOf(ctx, deps);
    const { reason, audit_note } = ctx.state.body;
    await withClosedCheckout(deps, invoice.id, () =>
      transaction(deps.db, async (tx) => {
        if (!(await voidManually(tx, invoice.id, ctx.state.principal))) return;
        const details = { reason: reason || null, audit_note: audit_note || null };
        await audit(tx, ctx.state.principal, { action: 'invoice.voided', object: invoice.id, details });
      }),
    );
    await syncInvoiceInline(deps, invoice);
    ctx.status = 200;
    ctx.body = presentWithLink(deps, ctx.state.principal, await invoiceOf(ctx, deps));
  };
}

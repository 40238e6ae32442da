import { rotatePayLink } from '../../../commands/invoices/pay-link.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { invoiceOf, presentWithLink, type PresentingDependencies } from './read.js';

/** `POST /v1/invoices/{id}/rotate-pay-link` (docs/rules/billing.md#pay-links) */
export function rotateLink(deps: Pick<ApiDependencies, 'db'> & PresentingDependencies): Handler {
  return async (ctx) => {
    const { id } = await invoiceOf(ctx, deps);
    await transaction(deps.db, (tx) => rotatePayLink(tx, ctx.state.principal, id));
    ctx.status = 200;
    ctx.body = presentWithLink(deps, ctx.state.principal, await invoiceOf(ctx, deps));
  };
}

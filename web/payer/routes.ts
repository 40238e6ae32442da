import type Router from '@koa/router';
import { PDF_COST } from '../../domain/limits.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import { route } from '../../api/http/context.js';
import { limited } from '../../api/http/limits.js';
import { newRouter } from '../../api/http/router.js';
import { showCardSetup } from './card.js';
import { showLeft, showSuccess } from './checkout.js';
import { addManageRoutes } from './manage/routes.js';
import { openPayment, showInvoice, showPdf, showRefundPdf } from './pay.js';

/** Pages for payers, who are not signed in: their links are what lets them in. */
export function payerRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  // Payers' pages do not count: many payers may share an address, and each checkout limits its own looks.
  const open = limited(deps, { byAddress: true });
  router.get('/checkout/success', ...route(showSuccess(deps)));
  router.get('/checkout/left', ...route(showLeft(deps)));
  addManageRoutes(router, deps);
  router.get('/checkout/card', ...route(showCardSetup(deps)));
  router.get('/pay/:token', ...route(open, showInvoice(deps)));
  router.post('/pay/:token', ...route(open, openPayment(deps)));
  const costly = limited(deps, { byAddress: true, cost: PDF_COST });
  router.get('/pay/:token/pdf', ...route(costly, showPdf(deps)));
  router.get('/pay/:token/refunds/:refund.pdf', ...route(costly, showRefundPdf(deps)));
  return router;
}

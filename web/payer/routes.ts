import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { route } from '../../api/http/context.js';
import { newRouter } from '../../api/http/router.js';
import { showCardSetup } from './card.js';
import { showLeft, showSuccess } from './checkout.js';
import { limitPages } from './link-limits.js';
import { addManageRoutes } from './manage/routes.js';
import { openPayment, showDocument, showInvoice, showPdf, showRefundPdf } from './pay.js';

/** Pages for payers, who are not signed in: their links are what lets them in. */
export function payerRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  router.get('/checkout/success', ...route(limitPages, showSuccess(deps)));
  router.get('/checkout/left', ...route(limitPages, showLeft(deps)));
  addManageRoutes(router, deps);
  router.get('/checkout/card', ...route(limitPages, showCardSetup(deps)));
  router.get('/pay/:token', ...route(limitPages, showInvoice(deps)));
  router.post('/pay/:token', ...route(limitPages, openPayment(deps)));
  router.get('/pay/:token/pdf', ...route(limitPages, showPdf(deps)));
  router.get('/pay/:token/documents/:number.pdf', ...route(limitPages, showDocument(deps)));
  router.get('/pay/:token/refunds/:refund.pdf', ...route(limitPages, showRefundPdf(deps)));
  return router;
}

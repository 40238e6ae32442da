import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { route } from '../../api/http/context.js';
import { newRouter } from '../../api/http/router.js';
import { showCardSetup } from './card.js';
import { showLeft, showSuccess } from './checkout.js';
import { limitPages } from './link-limits.js';
import { addManageRoutes } from './manage/routes.js';
import { keepsAnswers } from '../ui/browser.js';
import { keepingLanguage } from '../ui/language.js';
import { openPayment, showDocument, showInvoice, showPdf, showRefundPdf } from './pay.js';

/** Pages for payers, who are not signed in: their links are the credentials. */
export function payerRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const shown = [keepsAnswers, keepingLanguage(deps), limitPages];
  router.get('/checkout/success', ...route(...shown, showSuccess(deps)));
  router.get('/checkout/left', ...route(...shown, showLeft(deps)));
  addManageRoutes(router, deps);
  router.get('/checkout/card', ...route(...shown, showCardSetup(deps)));
  router.get('/pay/:token', ...route(...shown, showInvoice(deps)));
  router.post('/pay/:token', ...route(...shown, openPayment(deps)));
  router.get('/pay/:token/pdf', ...route(...shown, showPdf(deps)));
  router.get('/pay/:token/documents/:number.pdf', ...route(...shown, showDocument(deps)));
  router.get('/pay/:token/refunds/:refund.pdf', ...route(...shown, showRefundPdf(deps)));
  return router;
}

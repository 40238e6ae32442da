import type Router from '@koa/router';
import { PDF_COST } from '../../domain/limits.js';
import type { ApiDependencies } from '../dependencies.js';
import { route } from '../http/context.js';
import { browser } from '../sign-in/browser.js';
import { limited } from '../http/limits.js';
import { newRouter } from '../http/router.js';
import { showConnected } from './accounting.js';
import { showCardSetup } from './card.js';
import { showLeft, showSuccess } from './checkout.js';
import { acceptInvite, showInvite } from './invite.js';
import { addManageRoutes } from './manage/routes.js';
import { payInvoice, showInvoice, showPdf, showRefundPdf } from './pay.js';
import { showLinkExpired, showOnboarded } from './onboarding.js';

/**
 * Pages for people who are not signed in: payers, invited members, and operators who return from another site (of these,
 * from consent only in their session).
 */
export function pageRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  // Payers' pages do not count: many payers may share an address, and each checkout limits its own looks.
  const open = limited(deps, { byAddress: true });
  router.get('/checkout/success', ...route(showSuccess(deps)));
  router.get('/checkout/left', ...route(showLeft(deps)));
  addManageRoutes(router, deps);
  router.get('/checkout/card', ...route(showCardSetup(deps)));
  router.get('/invite/:token', ...route(open, showInvite(deps)));
  router.post('/invite/:token', ...route(open, acceptInvite(deps)));
  router.get('/pay/:token', ...route(open, showInvoice(deps)));
  router.post('/pay/:token', ...route(open, payInvoice(deps)));
  const costly = limited(deps, { byAddress: true, cost: PDF_COST });
  router.get('/pay/:token/pdf', ...route(costly, showPdf(deps)));
  router.get('/pay/:token/refunds/:refund.pdf', ...route(costly, showRefundPdf(deps)));
  router.get('/accounting/callback', ...route(open, browser(deps), showConnected(deps)));
  router.get('/onboarding/done', ...route(open, showOnboarded));
  router.get('/onboarding/again', ...route(open, showLinkExpired));
  return router;
}

import type Router from '@koa/router';
import { PDF_COST } from '../../../domain/limits.js';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { pdf } from './pdf.js';
import { get, list } from './read.js';
import { refund } from './refund.js';
import { listSchema, refundSchema } from './schema.js';

/** Payments and their refunds (docs/rules/billing.md#payments). */
export function paymentRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const path = '/v1/payments';
  const signedIn = authenticated(deps);
  const signedInForPdf = authenticated(deps, async () => PDF_COST);
  const canReadInvoice = requires('billing:read', 'read_own_invoices');
  const canRead = requires('billing:read', 'read_billing');
  const canWrite = requires('billing:write', 'write_billing');
  router.get(path, ...route(signedIn, canRead, validQuery(listSchema), list(deps)));
  router.get(`${path}/:id.pdf`, ...route(signedInForPdf, canReadInvoice, pdf(deps)));
  router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
  router.post(`${path}/:id/refund`, ...route(signedIn, canWrite, validBody(refundSchema), refund(deps)));
  return router;
}

import { PDF_COST } from '../../../domain/api-keys/limits.js';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent, MAX_DOCUMENTS } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { pdf } from './pdf.js';
import { get, list } from './read.js';
import { refund } from './refund.js';
import { listSchema, payment, refundSchema } from './shape.js';
import type { EventsOf, Resource } from '../shared/resource.js';
import { events, EXAMPLE_PAYMENT_ID, operations } from './openapi.js';

/** Payments and their refunds (docs/rules/billing.md#payments). */
export const payments: Resource<EventsOf<'payment'>> = {
  tag: 'Payments',
  operations,
  schemas: { Payment: payment },
  ids: { payments: { name: 'payment', example: EXAMPLE_PAYMENT_ID, notFound: 'payment_not_found' } },
  events,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/payments';
    const signedIn = authenticated(deps);
    const signedInForPdf = authenticated(deps, PDF_COST);
    const canReadInvoice = requires('billing:read', 'read_own_invoices');
    const canRead = requires('billing:read', 'read_billing');
    const canWrite = requires('billing:write', 'write_billing');
    router.get(path, ...route(signedIn, canRead, validQuery(listSchema, list(deps))));
    router.get(
      `${path}/:id.pdf`,
      ...route(signedInForPdf, canReadInvoice, limitConcurrent(pdf(deps), MAX_DOCUMENTS)),
    );
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.post(`${path}/:id/refund`, ...route(signedIn, canWrite, validBody(refundSchema, refund(deps))));
    return router;
  },
};

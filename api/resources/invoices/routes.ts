import { PDF_COST } from '../../../domain/api-keys/limits.js';
import type { ApiDependencies } from '../../dependencies.js';
import { authenticated, requires } from '../../http/auth.js';
import { limitConcurrent, MAX_DOCUMENTS } from '../../http/concurrency.js';
import { route } from '../../http/context.js';
import { emptyBody } from '../../http/fields.js';
import { newRouter } from '../../http/router.js';
import { validBody, validQuery } from '../../http/validate.js';
import { adjust } from './adjust.js';
import { checkout } from './checkout.js';
import { create } from './create.js';
import { markPaid } from './mark-paid.js';
import { documentPdf, listDocuments } from './documents.js';
import { get, list } from './read.js';
import { rotateLink } from './rotate-link.js';
import {
  adjustSchema,
  createSchema,
  invoice,
  invoiceDocument,
  invoiceInEvents,
  line,
  listSchema,
  markPaidSchema,
  voidSchema,
} from './shape.js';
import { pdf, send } from './send.js';
import { voidInvoice } from './void.js';
import type { EventsOf, Resource } from '../shared/resource.js';
import { EXAMPLE_INVOICE_ID } from './examples.js';
import { events, operations } from './openapi.js';

/** Invoices (docs/rules/billing.md). */
export const invoices: Resource<EventsOf<'invoice'>> = {
  tag: 'Invoices',
  operations,
  schemas: {
    Invoice: invoice,
    InvoiceInEvents: invoiceInEvents,
    InvoiceLine: line,
    InvoiceDocument: invoiceDocument,
  },
  ids: {
    invoices: { name: 'invoice', example: EXAMPLE_INVOICE_ID, notFound: 'invoice_not_found' },
    documents: { name: 'document', example: 'HH-12', notFound: 'invoice_not_found' },
  },
  events,
  routes(deps: ApiDependencies) {
    const router = newRouter();
    const path = '/v1/invoices';
    const signedIn = authenticated(deps);
    const signedInForPdf = authenticated(deps, PDF_COST);
    const canRead = requires('billing:read', 'read_own_invoices');
    const canPay = requires('billing:write', 'pay_own_invoices');
    const canWrite = requires('billing:write', 'write_billing');
    const noBody = validBody(emptyBody);
    router.get(path, ...route(signedIn, canRead, validQuery(listSchema, list(deps))));
    router.post(path, ...route(signedIn, canWrite, validBody(createSchema, create(deps))));
    router.get(
      `${path}/:id.pdf`,
      ...route(signedInForPdf, canRead, limitConcurrent(pdf(deps), MAX_DOCUMENTS)),
    );
    router.get(`${path}/:id`, ...route(signedIn, canRead, get(deps)));
    router.get(`${path}/:id/documents`, ...route(signedIn, canRead, listDocuments(deps)));
    router.get(
      `${path}/:id/documents/:number.pdf`,
      ...route(signedInForPdf, canRead, limitConcurrent(documentPdf(deps), MAX_DOCUMENTS)),
    );
    router.post(
      `${path}/:id/mark-paid`,
      ...route(signedIn, canWrite, validBody(markPaidSchema, markPaid(deps))),
    );
    router.post(`${path}/:id/void`, ...route(signedIn, canWrite, validBody(voidSchema, voidInvoice(deps))));
    router.post(`${path}/:id/send`, ...route(signedInForPdf, canWrite, noBody, limitConcurrent(send(deps))));
    router.post(`${path}/:id/rotate-pay-link`, ...route(signedIn, canWrite, noBody, rotateLink(deps)));
    router.post(`${path}/:id/checkout`, ...route(signedIn, canPay, noBody, checkout(deps)));
    router.post(
      `${path}/:id/adjustments`,
      ...route(signedIn, canWrite, validBody(adjustSchema, adjust(deps))),
    );
    return router;
  },
};

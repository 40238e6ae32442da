import type { EventsOf, Resource } from '../shared/resource.js';
import { EXAMPLE_INVOICE_ID } from './examples.js';
import { events, operations } from './openapi.js';
import { invoice, invoiceInEvents, line } from './responses.js';
import { invoiceRoutes } from './routes.js';

export const invoices: Resource<EventsOf<'invoice'>> = {
  tag: 'Invoices',
  routes: invoiceRoutes,
  operations,
  schemas: { Invoice: invoice, InvoiceInEvents: invoiceInEvents, InvoiceLine: line },
  ids: { invoices: { name: 'invoice', example: EXAMPLE_INVOICE_ID, notFound: 'invoice_not_found' } },
  events,
};

import { pdf } from '../../../api/resources/invoices/send.js';
import type { Section } from '../shared/section.js';
import { invoiceForms } from './invoice-forms.js';
import { showInvoice } from './invoice.js';
import { invoicesQuery, showInvoices } from './invoices.js';
import { createForm, newInvoiceFields, newInvoiceQuery, showNewInvoice } from './new-invoice.js';

export const invoices: Section = [
  { path: '/invoices', capability: 'read_billing', query: invoicesQuery, show: showInvoices },
  {
    path: '/invoices/new',
    capability: 'write_billing',
    query: newInvoiceQuery,
    show: showNewInvoice,
    forms: [['', newInvoiceFields, createForm]],
  },
  { path: '/invoices/:id/pdf', capability: 'read_billing', show: pdf },
  { path: '/invoices/:id', capability: 'read_billing', show: showInvoice, forms: invoiceForms },
];

import { documentPdf } from '../../../api/resources/invoices/documents.js';
import { pdf } from '../../../api/resources/invoices/send.js';
import type { Section } from '../shared/section.js';
import { invoiceForms } from './invoice-forms.js';
import { showInvoice } from './invoice.js';
import { invoicesQuery, showInvoices } from './invoices.js';
import { createForm, newInvoiceFields, newInvoiceQuery, showNewInvoice } from './new-invoice.js';

export const invoices: Section = [
  // Members see what they pay; the operations find nothing else for them.
  { path: '/invoices', capability: 'read_own_invoices', query: invoicesQuery, show: showInvoices },
  {
    path: '/invoices/new',
    capability: 'write_billing',
    query: newInvoiceQuery,
    show: showNewInvoice,
    forms: [['', newInvoiceFields, createForm]],
  },
  { path: '/invoices/:id/pdf', capability: 'read_own_invoices', show: pdf, isDocument: true },
  {
    path: '/invoices/:id/documents/:number.pdf',
    capability: 'read_own_invoices',
    show: documentPdf,
    isDocument: true,
  },
  { path: '/invoices/:id', capability: 'read_own_invoices', show: showInvoice, forms: invoiceForms },
];

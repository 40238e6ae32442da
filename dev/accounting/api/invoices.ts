import { createDocument, updateDocument, type DocumentInput } from '../bookkeeping/documents.js';
import { endpoint, type Call } from '../http/endpoint.js';
import { saveAll } from '../http/elements.js';
import { listOf } from '../http/listing.js';
import { createOrUpdate, documentContextOf, namedDocument } from './documents.js';
import { presentInvoice } from './present.js';
import { INVOICE } from './schemas.js';

const context = (call: Call) => documentContextOf(call, 'ACCREC');
const contextFor = (call: Call, { Type }: DocumentInput) =>
  documentContextOf(call, Type === 'ACCPAY' ? 'ACCPAY' : 'ACCREC');

/** Sales invoices and bills. */
export const invoiceEndpoints = [
  endpoint('get', '/Invoices', 'invoices', (call) =>
    listOf(call, {
      plural: 'Invoices',
      records: call.sim.store.invoices.values(),
      present: (invoice, complete) =>
        presentInvoice(call.sim.store, invoice, complete && call.query['summaryOnly'] !== 'true'),
      filters: {
        IDs: ({ id }, wanted) => wanted.includes(id),
        InvoiceNumbers: ({ number }, wanted) => wanted.includes(number),
        ContactIDs: ({ contact_id }, wanted) => wanted.includes(contact_id),
        Statuses: ({ status }, wanted) => wanted.includes(status),
        searchTerm: ({ number, reference }, [term = '']) =>
          [number, reference].some((each) => each.toLowerCase().includes(term.toLowerCase())),
      },
    }),
  ),

  endpoint('get', '/Invoices/:id', 'invoices', (call) => ({
    Invoices: [presentInvoice(call.sim.store, namedDocument(context(call), call.id))],
  })),

  endpoint('put', '/Invoices', 'invoices', (call) =>
    saveAll(call, 'Invoices', INVOICE, (input) =>
      presentInvoice(call.sim.store, createDocument(contextFor(call, input), input)),
    ),
  ),

  endpoint('post', '/Invoices', 'invoices', (call) =>
    saveAll(call, 'Invoices', INVOICE, (input) =>
      presentInvoice(call.sim.store, createOrUpdate(contextFor(call, input), input)),
    ),
  ),

  endpoint('post', '/Invoices/:id', 'invoices', (call) => {
    const invoice = namedDocument(context(call), call.id);
    return saveAll(call, 'Invoices', INVOICE, (input) =>
      presentInvoice(call.sim.store, updateDocument(context(call), invoice, input)),
    );
  }),
];

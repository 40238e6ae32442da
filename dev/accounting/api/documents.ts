import { fromCents } from '../bookkeeping/amounts.js';
import {
  createDocument,
  findDocument,
  updateDocument,
  type DocumentContext,
  type DocumentInput,
} from '../bookkeeping/documents.js';
import { allocate } from '../bookkeeping/payments.js';
import { wireDate } from '../dates.js';
import { saveAll } from '../http/elements.js';
import { endpoint, type Call } from '../http/endpoint.js';
import { notFound, Refused } from '../http/errors.js';
import { resource } from '../http/resource.js';
import type { Document } from '../state/records.js';
import { presentCreditNote, presentInvoice } from './present.js';
import { ALLOCATION, CREDIT_NOTE, INVOICE } from './schemas.js';

/** The context in which a call validates a document of a type. */
export function requestDocumentContext(call: Call, type: Document['type']): DocumentContext {
  const { sim, organisation, query, idempotencyKey } = call;
  const unitDecimals = query['unitdp'] === '4' ? 4 : 2;
  return { store: sim.store, organisation, type, unitDecimals, idempotencyKey };
}

/** How documents are saved. A request identifies its document by id or number. */
const documents = (getType: (input: DocumentInput) => Document['type']) => ({
  area: 'invoices' as const,
  named: (call: Call) => namedDocument(requestDocumentContext(call, getType({})), call.id),
  create: (call: Call, input: DocumentInput) =>
    createDocument(requestDocumentContext(call, getType(input)), input),
  createOrUpdate(call: Call, input: DocumentInput) {
    const context = requestDocumentContext(call, getType(input));
    const known = (input.id ?? input.number) ? findDocument(context, input) : undefined;
    if (known) return updateDocument(context, known, input);
    if (input.id) throw notFound();
    return createDocument(context, input);
  },
  update: (call: Call, document: Document, input: DocumentInput) =>
    updateDocument(requestDocumentContext(call, document.type), document, input),
});

function namedDocument(context: DocumentContext, name: string): Document {
  const found = findDocument(context, { id: name }) ?? findDocument(context, { number: name });
  if (!found) throw notFound();
  return found;
}

/** Invoices and bills; credit notes and their allocations to invoices. */
export const documentEndpoints = [
  ...resource({
    ...documents(({ Type }) => (Type === 'ACCPAY' ? 'ACCPAY' : 'ACCREC')),
    plural: 'Invoices',
    schema: INVOICE,
    records: ({ sim }) => sim.store.invoices.values(),
    present: presentInvoice,
    hasSummary: true,
    filters: {
      IDs: ({ id }, wanted) => wanted.includes(id),
      InvoiceNumbers: ({ number }, wanted) => wanted.includes(number),
      ContactIDs: ({ contact_id }, wanted) => wanted.includes(contact_id),
      Statuses: ({ status }, wanted) => wanted.includes(status),
      searchTerm: ({ number, reference }, [term = '']) =>
        [number, reference].some((each) => each.toLowerCase().includes(term.toLowerCase())),
    },
  }),

  ...resource({
    ...documents(({ Type }) => (Type === 'ACCPAYCREDIT' ? 'ACCPAYCREDIT' : 'ACCRECCREDIT')),
    plural: 'CreditNotes',
    schema: CREDIT_NOTE,
    records: ({ sim }) => sim.store.credit_notes.values(),
    present: presentCreditNote,
  }),

  endpoint('put', '/CreditNotes/:id/Allocations', 'invoices', (call) => {
    const note = namedDocument(requestDocumentContext(call, 'ACCRECCREDIT'), call.id);
    return saveAll(call, 'Allocations', ALLOCATION, ({ Invoice: named, ...input }) => {
      const { InvoiceID: id, InvoiceNumber: number } = named;
      const invoice = findDocument(requestDocumentContext(call, 'ACCREC'), { id, number });
      if (!invoice) throw new Refused(['Invoice could not be found']);
      const made = allocate(call.sim.store, note, invoice, input);
      return {
        AllocationID: made.id,
        Amount: fromCents(made.cents),
        Date: wireDate(made.date),
        Invoice: { InvoiceID: invoice.id, InvoiceNumber: invoice.number },
        CreditNote: { CreditNoteID: note.id, CreditNoteNumber: note.number, ID: note.id },
      };
    });
  }),
];

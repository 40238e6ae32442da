import { fromCents } from '../bookkeeping/amounts.js';
import { createDocument, findDocument, updateDocument } from '../bookkeeping/documents.js';
import { allocate } from '../bookkeeping/payments.js';
import { wireDate } from '../dates.js';
import { endpoint, type Call } from '../http/endpoint.js';
import { saveAll } from '../http/elements.js';
import { Refused } from '../http/errors.js';
import { listOf } from '../http/listing.js';
import { createOrUpdate, documentContextOf, namedDocument } from './documents.js';
import { presentCreditNote } from './present.js';
import { ALLOCATION, CREDIT_NOTE } from './schemas.js';

const context = (call: Call) => documentContextOf(call, 'ACCRECCREDIT');

/** Sales credit notes and their allocations to invoices. */
export const creditNoteEndpoints = [
  endpoint('get', '/CreditNotes', 'invoices', (call) =>
    listOf(call, {
      plural: 'CreditNotes',
      records: call.sim.store.credit_notes.values(),
      present: (note, complete) => presentCreditNote(call.sim.store, note, complete),
    }),
  ),

  endpoint('get', '/CreditNotes/:id', 'invoices', (call) => ({
    CreditNotes: [presentCreditNote(call.sim.store, namedDocument(context(call), call.id))],
  })),

  endpoint('put', '/CreditNotes', 'invoices', (call) =>
    saveAll(call, 'CreditNotes', CREDIT_NOTE, (input) =>
      presentCreditNote(call.sim.store, createDocument(context(call), input)),
    ),
  ),

  endpoint('post', '/CreditNotes', 'invoices', (call) =>
    saveAll(call, 'CreditNotes', CREDIT_NOTE, (input) =>
      presentCreditNote(call.sim.store, createOrUpdate(context(call), input)),
    ),
  ),

  endpoint('post', '/CreditNotes/:id', 'invoices', (call) => {
    const note = namedDocument(context(call), call.id);
    return saveAll(call, 'CreditNotes', CREDIT_NOTE, (input) =>
      presentCreditNote(call.sim.store, updateDocument(context(call), note, input)),
    );
  }),

  endpoint('put', '/CreditNotes/:id/Allocations', 'invoices', (call) => {
    const note = namedDocument(context(call), call.id);
    return saveAll(call, 'Allocations', ALLOCATION, ({ Invoice: named, ...input }) => {
      const { InvoiceID: id, InvoiceNumber: number } = named;
      const invoice = findDocument(documentContextOf(call, 'ACCREC'), { id, number });
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

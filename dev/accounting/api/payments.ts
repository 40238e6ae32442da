import { findDocument } from '../bookkeeping/documents.js';
import { createPayment, deletePayment } from '../bookkeeping/payments.js';
import { endpoint, type Call } from '../http/endpoint.js';
import { saveAll } from '../http/elements.js';
import { notFound, Refused } from '../http/errors.js';
import { listRecords } from '../http/listing.js';
import type { Document } from '../state/records.js';
import { requestDocumentContext } from './documents.js';
import { presentPayment } from './present.js';
import { PAYMENT, PAYMENT_DELETION, type PaymentBody } from './schemas.js';

/** Payments of invoices, and refunds of credit notes. */
export const paymentEndpoints = [
  endpoint('get', '/Payments', 'payments', (call) =>
    listRecords(call, {
      plural: 'Payments',
      records: call.sim.store.payments.values(),
      present: (payment) => presentPayment(call.sim.store, payment),
    }),
  ),

  endpoint('get', '/Payments/:id', 'payments', (call) => ({
    Payments: [presentPayment(call.sim.store, named(call))],
  })),

  endpoint('put', '/Payments', 'payments', pay),
  // The client's createPayment sends a single payment instead of a list.
  endpoint('post', '/Payments', 'payments', pay),

  endpoint('post', '/Payments/:id', 'payments', (call) => {
    const payment = named(call);
    return saveAll(call, 'Payments', PAYMENT_DELETION, () =>
      presentPayment(call.sim.store, deletePayment(call.sim.store, payment)),
    );
  }),
];

function pay(call: Call): object {
  const { sim, organisation, idempotencyKey } = call;
  return saveAll(call, 'Payments', PAYMENT, (input) => {
    const Account = input.Account ?? { Code: input.Code };
    const document = findPaidDocument(call, input);
    const made = createPayment(sim.store, organisation, document, { ...input, Account }, idempotencyKey);
    return presentPayment(sim.store, made);
  });
}

function findPaidDocument(call: Call, input: PaymentBody): Document {
  const { Invoice: invoice, CreditNote: note, InvoiceNumber, CreditNoteNumber } = input;
  const [type, name] =
    note || CreditNoteNumber
      ? ([
          'ACCRECCREDIT',
          { id: note?.CreditNoteID, number: note?.CreditNoteNumber ?? CreditNoteNumber },
        ] as const)
      : (['ACCREC', { id: invoice?.InvoiceID, number: invoice?.InvoiceNumber ?? InvoiceNumber }] as const);
  const document =
    (name.id ?? name.number) ? findDocument(requestDocumentContext(call, type), name) : undefined;
  if (document) return document;
  throw new Refused([`${type === 'ACCREC' ? 'Invoice' : 'Credit note'} could not be found`]);
}

function named({ sim: { store }, organisation, id }: Call) {
  const payment = store.payments.get(id);
  if (payment?.tenant !== organisation.tenant_id) throw notFound();
  return payment;
}

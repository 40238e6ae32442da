import { createDocument } from '../bookkeeping/documents.js';
import { createPayment } from '../bookkeeping/payments.js';
import type { Simulator } from '../simulator.js';
import type { Organisation } from '../state/records.js';

/** A document of the past: one line of `net`, taxed at 20 %. */
export interface PastDocument {
  kind: 'invoice' | 'credit_note';
  number: string;
  reference: string;
  net: number;
}

/** Adds approved and paid documents, as an app has written them over months. Returns their ids, in order. */
export function addHistory(sim: Simulator, organisation: Organisation, documents: PastDocument[]): object {
  const { store } = sim;
  const { code } = organisation.accounts.find(({ type }) => type === 'BANK')!;
  const ids = documents.map(({ kind, number, reference, net }) => {
    const type = kind === 'invoice' ? ('ACCREC' as const) : ('ACCRECCREDIT' as const);
    const context = { store, organisation, type, unitDecimals: 4, idempotencyKey: null };
    const line = { Description: 'Room', UnitAmount: net, AccountCode: '200', TaxType: 'OUTPUT2' };
    const Contact = { Name: 'Grace Guest' };
    const input = { number, Reference: reference, Contact, LineItems: [line], Status: 'AUTHORISED' as const };
    const document = createDocument(context, input);
    createPayment(store, organisation, document, { Amount: net * 1.2, Account: { Code: code } }, null);
    return document.id;
  });
  return { ids };
}

import { presentContact, presentCreditNote, presentInvoice, presentPayment } from '../api/present.js';
import type { Store } from '../state/store.js';

/** The whole state, with objects in Xero's shape; with `tenant`, the state of one organisation. */
export function ledger(store: Store, tenant: string | undefined) {
  const list = <T extends { tenant: string }, Presented extends object>(
    table: { values(): Iterable<T> },
    present: (record: T) => Presented,
  ) =>
    [...table.values()]
      .filter((record) => tenant === undefined || record.tenant === tenant)
      .map((record) => ({
        ...present(record),
        tenant_id: record.tenant,
        ...('idempotency_key' in record && { idempotency_key: record.idempotency_key }),
      }));
  return {
    invoices: list(store.invoices, (invoice) => presentInvoice(store, invoice)),
    payments: list(store.payments, (payment) => presentPayment(store, payment)),
    credit_notes: list(store.credit_notes, (note) => presentCreditNote(store, note)),
    contacts: list(store.contacts, presentContact),
    organisations: [...store.organisations.values()]
      .filter(({ tenant_id }) => tenant === undefined || tenant_id === tenant)
      .map(({ tenant_id, name, currency }) => ({ tenant_id, name, currency })),
    requests: [...store.requests.values()].filter((each) => tenant === undefined || each.tenant === tenant),
  };
}

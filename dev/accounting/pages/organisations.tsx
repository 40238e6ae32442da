import { Grid, Page } from '../../simulator/pages.js';
import { fromCents } from '../bookkeeping/amounts.js';
import { computeBalance } from '../bookkeeping/balance.js';
import type { Document, Organisation } from '../state/records.js';
import type { Store } from '../state/store.js';

/** All organisations, newest first. */
export function OrganisationsPage({ store }: { store: Store }) {
  const counts = new Map<string, number>();
  for (const { tenant } of store.invoices.values()) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  return (
    <Page title="Organisations">
      <p class="muted">Organisations of the accounting simulator. They are not real.</p>
      <Grid
        head={['Name', 'Currency', 'Invoices']}
        rows={store.organisations
          .newestFirst()
          .map(({ tenant_id, name, currency }) => [
            <a href={`/organisations/${tenant_id}`}>{name}</a>,
            currency,
            counts.get(tenant_id) ?? 0,
          ])}
      />
    </Page>
  );
}

/** The invoices and credit notes of an organisation. Those that await approval can be approved. */
export function OrganisationPage({ store, organisation }: { store: Store; organisation: Organisation }) {
  const documents = [...store.invoices.newestFirst(), ...store.credit_notes.newestFirst()].filter(
    ({ tenant }) => tenant === organisation.tenant_id,
  );
  return (
    <Page title={organisation.name}>
      <p>
        <a href="/">All organisations</a>
      </p>
      {documents.length === 0 && <p class="muted">No invoices yet.</p>}
      <Grid
        head={['Number', 'Reference', 'To', 'Status', 'Total', 'Due', '']}
        rows={documents.map((document) => documentRow(store, document))}
      />
    </Page>
  );
}

function documentRow(store: Store, document: Document) {
  const { id, tenant, number, reference, contact_id, currency, status, type } = document;
  const { total, left } = computeBalance(store, document);
  const amount = (cents: number) => `${fromCents(cents).toFixed(2)} ${currency}`;
  const approve = type === 'ACCREC' && ['DRAFT', 'SUBMITTED'].includes(status) && (
    <form method="post" action={`/organisations/${tenant}/invoices/${id}/approve`}>
      <button>Approve</button>
    </form>
  );
  return [
    number,
    reference,
    store.contacts.get(contact_id)?.name,
    status,
    amount(total),
    amount(left),
    approve,
  ];
}

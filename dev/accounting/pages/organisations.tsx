import { Page } from '../../simulator/pages.js';
import { fromCents } from '../bookkeeping/amounts.js';
import { balanceOf } from '../bookkeeping/balance.js';
import type { Document, Organisation } from '../state/records.js';
import type { Store } from '../state/store.js';

/** All organisations, newest first. */
export function OrganisationsPage({ store }: { store: Store }) {
  const counts = new Map<string, number>();
  for (const { tenant } of store.invoices.values()) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  return (
    <Page title="Organisations" wide>
      <p class="muted">Organisations of the accounting simulator. They are not real.</p>
      <table>
        <tr>
          <th>Name</th>
          <th>Currency</th>
          <th class="amount">Invoices</th>
        </tr>
        {store.organisations.newestFirst().map(({ tenant_id, name, currency }) => (
          <tr>
            <td>
              <a href={`/organisations/${tenant_id}`}>{name}</a>
            </td>
            <td>{currency}</td>
            <td class="amount">{counts.get(tenant_id) ?? 0}</td>
          </tr>
        ))}
      </table>
    </Page>
  );
}

/** The invoices and credit notes of an organisation. Those that await approval can be approved. */
export function OrganisationPage({ store, organisation }: { store: Store; organisation: Organisation }) {
  const own = ({ tenant }: Document) => tenant === organisation.tenant_id;
  const documents = [...store.invoices.newestFirst(), ...store.credit_notes.newestFirst()].filter(own);
  return (
    <Page title={organisation.name} wide>
      <p>
        <a href="/">All organisations</a>
      </p>
      {documents.length === 0 && <p class="muted">No invoices yet.</p>}
      <table>
        <tr>
          <th>Number</th>
          <th>Reference</th>
          <th>To</th>
          <th>Status</th>
          <th class="amount">Total</th>
          <th class="amount">Due</th>
          <th />
        </tr>
        {documents.map((document) => (
          <Row store={store} document={document} />
        ))}
      </table>
    </Page>
  );
}

function Row({ store, document }: { store: Store; document: Document }) {
  const { total, left } = balanceOf(store, document);
  const amount = (cents: number) => `${fromCents(cents).toFixed(2)} ${document.currency}`;
  const waits = document.type === 'ACCREC' && ['DRAFT', 'SUBMITTED'].includes(document.status);
  return (
    <tr>
      <td>{document.number}</td>
      <td>{document.reference}</td>
      <td>{store.contacts.get(document.contact_id)?.name}</td>
      <td>
        <span class="badge">{document.status}</span>
      </td>
      <td class="amount">{amount(total)}</td>
      <td class="amount">{amount(left)}</td>
      <td>
        {waits && (
          <form method="post" action={`/organisations/${document.tenant}/invoices/${document.id}/approve`}>
            <button class="plain">Approve</button>
          </form>
        )}
      </td>
    </tr>
  );
}

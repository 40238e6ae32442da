import { Page } from '../../simulator/pages.js';
import type { ConsentRequest } from '../oauth/consent.js';
import type { Organisation } from '../state/records.js';

const REACH: Record<string, string> = {
  'accounting.transactions': 'Invoices, credit notes and payments',
  'accounting.invoices': 'Invoices and credit notes',
  'accounting.payments': 'Payments',
  'accounting.contacts': 'Contacts',
  'accounting.settings': 'Organisation, accounts and tax rates',
};

interface Props {
  request: ConsentRequest;
  organisations: Organisation[];
  action: string;
}

/** Asks the user for access to one of their organisations. */
export function ConsentPage({ request, organisations, action }: Props) {
  const { scope, tenantId } = request;
  const named = organisations.find(({ tenant_id }) => tenant_id === tenantId);
  const reach = scope.split(' ').flatMap((each) => REACH[each.replace(/\.read$/, '')] ?? []);
  return (
    <Page title={`Connect Holdfast to ${named?.name ?? 'an organisation'}`}>
      <p class="muted">Holdfast requests access to:</p>
      <ul>
        {reach.map((each) => (
          <li>{each}</li>
        ))}
      </ul>
      <form method="post" action={action}>
        <label for="organisation">Organisation</label>
        <select id="organisation" name="organisation">
          {(named ? [named] : organisations).map(({ tenant_id, name }) => (
            <option value={tenant_id}>{name}</option>
          ))}
          {!named && <option value="new">A new demo company</option>}
        </select>
        <button name="answer" value="allow">
          Allow access
        </button>
        <button name="answer" value="cancel">
          Cancel
        </button>
      </form>
    </Page>
  );
}

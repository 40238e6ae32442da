import type { ConsentRequest } from '../oauth/consent.js';
import type { Organisation } from '../state/records.js';
import { Page } from './layout.js';

const REACH: Record<string, string> = {
  'accounting.transactions': 'Invoices, credit notes and payments',
  'accounting.invoices': 'Invoices and credit notes',
  'accounting.payments': 'Payments',
  'accounting.contacts': 'Contacts',
  'accounting.settings': 'Organisation, accounts and tax rates',
};

/** Asks the user for access to one of their organisations. */
export function ConsentPage({
  request,
  organisations,
  action,
}: {
  request: ConsentRequest;
  organisations: Organisation[];
  action: string;
}) {
  const { scope, tenantId } = request;
  const named = organisations.find(({ tenant_id }) => tenant_id === tenantId);
  const reach = scope.split(' ').flatMap((each) => REACH[each.replace(/\.read$/, '')] ?? []);
  return (
    <Page title={`Connect Holdfast to ${named?.name ?? 'an organisation'}`} narrow>
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
        <div class="actions">
          <button name="answer" value="allow">
            Allow access
          </button>
          <button name="answer" value="cancel" class="plain">
            Cancel
          </button>
        </div>
      </form>
    </Page>
  );
}

/** Shows what is wrong with a request, without a redirect to the client. */
export function ConsentProblemPage({ problem }: { problem: string }) {
  return (
    <Page title="This app cannot be connected" narrow>
      <p class="muted">{problem}</p>
    </Page>
  );
}

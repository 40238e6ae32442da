import type { Connection } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { ensureSearchAttributes } from '../../deploy/search-attributes.js';
import type { AccountingWorkspace } from './accounting.js';
import { ACCOUNTING_SETTINGS, startOwnService, type OwnService } from './own-service.js';
import { client } from './api-client.js';
import { pay } from './bookings.js';
import { until } from './until.js';
import { newAccount, uniqueEmail, type TestWorkspace } from './workspaces.js';
import { newNamespace, temporal } from './temporal.js';
import { message } from './message.js';

const SETTINGS = {
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  ...ACCOUNTING_SETTINGS,
  // With the scale of the tests, deliveries would have been given up in the hours until the restore.
  WEBHOOK_RETRY_SCALE: '1',
  LOG_LEVEL: 'error',
};

/** A service on a database, with a Temporal namespace that has no runs unless the settings specify one. */
export async function startService(
  databaseUrl: string,
  settings: Record<string, string>,
): Promise<OwnService & { namespace: string }> {
  const namespace = settings.TEMPORAL_NAMESPACE ?? (await newNamespace());
  await ensureSearchAttributes((await temporal.connection) as Connection, namespace);
  const all = { ...SETTINGS, TEMPORAL_NAMESPACE: namespace, ...settings };
  return { ...(await startOwnService(databaseUrl, all)), namespace };
}

/** A workspace of a service, with an account at the processor. */
export async function openWorkspace(
  service: OwnService,
  settings: Record<string, unknown> = {},
): Promise<TestWorkspace & { accountId: string }> {
  const accountId = newAccount();
  const { body } = await service.internal('create_workspace', {
    name: 'Own house',
    owner_email: uniqueEmail(),
    processor_account_id: accountId,
    ...settings,
  });
  if (body.error) throw new Error(JSON.stringify(body));
  return {
    id: body.workspace_id,
    ownerId: body.owner_member_id,
    accountId,
    api: client(body.token, service.baseUrl),
  };
}

/**
 * A workspace of a service, with an account at the processor and an organisation in the accounting system.
 */
export async function openOwnWorkspace(service: OwnService, db: DataSource): Promise<AccountingWorkspace> {
  const { accountId, ...made } = await until(async () => {
    const accountId = newAccount();
    const { body } = await service.internal('create_workspace', {
      name: 'Restored house',
      owner_email: uniqueEmail(),
      processor_account_id: accountId,
      accounting: true,
    });
    if (body.error) throw new Error(JSON.stringify(body));
    return body.accounting_error ? null : { ...body, accountId };
  });
  const { workspace_id: id, owner_member_id: ownerId, token } = made;
  const [{ tenant_id: tenant }] = await db.query(
    `SELECT tenant_id FROM accounting_connections WHERE workspace_id = $1`,
    [id],
  );
  return { id, ownerId, accountId, tenant, api: client(token, service.baseUrl) };
}

/** Pays on a hosted page and returns to the service, which gets no webhooks. Returns the next page. */
export async function payAndReturn(page: { checkout_url: string | null }): Promise<string> {
  const { redirect_url } = await pay(page);
  return (await fetch(redirect_url)).text();
}

/** A company whose card is charged. */
export async function newAutopayer({ api }: AccountingWorkspace): Promise<string> {
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', billing_email: uniqueEmail() });
  const { body: setup } = await api.post(`/v1/companies/${company.id}/card-setup`);
  const { redirect_url } = await pay({ checkout_url: setup.url });
  await until(async () => (await (await fetch(redirect_url)).text()).includes(message('payer.card_saved')));
  await api.patch(`/v1/companies/${company.id}`, { autopay: true });
  return company.id;
}

import type { DataSource } from 'typeorm';
import { internal } from './api-client.js';
import { accountingSimulator } from './simulators.js';
import { db } from './stack.js';
import { until } from './until.js';
import { newWorkspace, findOwnerEmail, type TestWorkspace } from './workspaces.js';
import type { AccountingDocument, AccountingLedger } from './ledgers.js';
import { WebSession } from './web-session.js';
import { NEXT_MONDAY } from './days.js';

/** A workspace that is connected to its own organisation in the accounting system. */
export interface AccountingWorkspace extends TestWorkspace {
  tenant: string;
}

/** Creates a workspace that is connected to the accounting system. */
export async function newAccountingWorkspace(
  overrides: Record<string, unknown> = {},
): Promise<AccountingWorkspace> {
  const workspace = await newWorkspace({ accounting: true, ...overrides });
  const [{ tenant_id }] = await db.query(
    `SELECT tenant_id FROM accounting_connections WHERE workspace_id = $1`,
    [workspace.id],
  );
  return { ...workspace, tenant: tenant_id };
}

/** Everything in a workspace's organisation, in Xero's shape. */
export const accountingLedger = ({
  tenant,
}: Pick<AccountingWorkspace, 'tenant'>): Promise<AccountingLedger> =>
  accountingSimulator('GET', `/_sim/ledger?tenant=${tenant}`);

/**
 * Waits until an invoice or credit note with this number is in the accounting system and
 * satisfies `so`. Returns it.
 */
export const untilInAccounting = (
  workspace: AccountingWorkspace,
  number: string,
  so: (invoice: AccountingDocument) => boolean = () => true,
) =>
  until(async () => {
    const { invoices, credit_notes } = await accountingLedger(workspace);
    const all = [...invoices, ...credit_notes] as AccountingDocument[];
    const found = all.find((each) => [each.InvoiceNumber, each.CreditNoteNumber].includes(number));
    return found && so(found) && found;
  });

/** Runs the hourly accounting job for one workspace. Returns its summary. */
export async function syncAccounting({ id }: TestWorkspace): Promise<Record<string, number>> {
  const { status, body } = await internal('run_job', { job: 'accounting_sync', workspace_id: id });
  if (status !== 200) throw new Error(`accounting_sync returned ${JSON.stringify(body)}`);
  return body;
}

/**
 * Makes the writes of a workspace overdue, so that the next sync makes them. Waits until their first attempts
 * have ended, which sets the time again.
 */
export const ageUpdates = ({ id }: TestWorkspace) =>
  until(async () => {
    const [, aged] = await db.query(
      `UPDATE accounting_due SET notified_at = notified_at - interval '1 hour'
       WHERE workspace_id = $1 AND NOT EXISTS (SELECT FROM accounting_due
         WHERE workspace_id = $1 AND (notified_at IS NULL OR first_attempt_until IS NOT NULL))`,
      [id],
    );
    return aged > 0;
  });

/** Creates an open invoice for a new company: one line of £100.00 plus £20.00 tax. */
export async function openInvoice(
  { api }: Pick<TestWorkspace, 'api'>,
  overrides: Record<string, unknown> = {},
) {
  const company = await api.post('/v1/companies', { name: `Acme ${Math.random()}`, billing_email: null });
  const { body, status } = await api.post('/v1/invoices', {
    company_id: company.body.id,
    currency: 'GBP',
    due_at: `${NEXT_MONDAY}T00:00:00Z`,
    lines: [
      { description: 'Desk for a month', quantity: 1, unit_amount_minor: 10_000, tax_code: 'STANDARD' },
    ],
    ...overrides,
  });
  if (status !== 201) throw new Error(`POST /v1/invoices returned ${JSON.stringify(body)}`);
  return body;
}

/** Runs `work` with faults for a workspace's organisation in the accounting system. */
export async function withAccountingFaults<T>(
  { tenant }: AccountingWorkspace,
  faults: Record<string, unknown>,
  work: () => Promise<T>,
): Promise<T> {
  await accountingSimulator('POST', '/_sim/faults', { tenant, ...faults });
  try {
    return await work();
  } finally {
    await accountingSimulator('POST', '/_sim/faults', { tenant });
  }
}

const ownerSessions = new Map<string, Promise<WebSession>>();

/** A session of a workspace's owner, started at the first call. */
function ownerSession(id: string): Promise<WebSession> {
  const start = async (): Promise<WebSession> => {
    const session = await WebSession.start(await findOwnerEmail(id));
    await session.enrol();
    return session;
  };
  const started = ownerSessions.get(id) ?? start();
  ownerSessions.set(id, started);
  return started;
}

/**
 * Consents to access to an organisation as a workspace's owner, in a session. Returns the session, the
 * consent page and the path of the final redirect.
 */
export async function giveConsent(
  { api, id }: TestWorkspace,
  tenant: string,
): Promise<{ session: WebSession; path: string; callback: string }> {
  const session = await ownerSession(id);
  const { body } = await api.post('/v1/workspace/accounting/connect');
  const { pathname: path } = new URL(body.url);
  const authorize_url = (await session.get(path)).headers.get('location');
  const control = `/_sim/organisations/${tenant}/authorize`;
  const { redirect_url } = await accountingSimulator('POST', control, { authorize_url });
  const { pathname, search } = new URL(redirect_url);
  return { session, path, callback: pathname + search };
}

/** Removes the workspaces' connections to the accounting system, as if they had never had one. */
export async function removeBooks(database: DataSource, workspaceIds: string[]): Promise<void> {
  for (const table of ['accounting_charts', 'accounting_connections'])
    await database.query(`DELETE FROM ${table} WHERE workspace_id = ANY ($1)`, [workspaceIds]);
}

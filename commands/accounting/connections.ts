import type { Chart } from '../../domain/accounting/settings.js';
import { ApiError } from '../../domain/errors.js';
import { presentAccounting } from '../../domain/workspaces/presenter.js';
import { canMove, CONNECTION_TRANSITIONS } from '../../domain/states.js';
import { affected, execute, maybeOne } from '../../db/query.js';
import { NOW } from '../../db/database-time.js';
import { AccountingConnection } from '../../db/entities/accounting.js';
import type { Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { auditEdit, type Actor } from '../audit-log/audit.js';
import { findConnection } from '../../db/queries/accounting/connection.js';
import { requeueAccountingUpdates } from './pending-updates.js';

/** Identifies a connection together with its tokens, which change when it is renewed. */
type ConnectionTokens = Pick<AccountingConnection, 'workspace_id' | 'token_version'>;

/** The encrypted tokens of a connection. */
export type Tokens = Pick<AccountingConnection, 'access_token' | 'refresh_token' | 'access_expires_at'>;

function lockConnection(tx: Tx, workspaceId: string): Promise<AccountingConnection | null> {
  return maybeOne<AccountingConnection>(
    tx,
    `SELECT * FROM accounting_connections WHERE workspace_id = $1 FOR NO KEY UPDATE`,
    [workspaceId],
  );
}

/**
 * Takes the turn to refresh a connection's tokens for some seconds, since a refresh token can be used only
 * once. Returns false if another process has the turn. A crash before the new token is stored loses nothing:
 * the old one stays valid for some time.
 */
export async function takeRefreshTurn(
  tx: Tx,
  { workspace_id, token_version }: ConnectionTokens,
): Promise<boolean> {
  const taken = await affected(
    tx,
    `UPDATE accounting_connections SET refreshing_until = now() + interval '15 seconds'
     WHERE workspace_id = $1 AND token_version = $2 AND (refreshing_until IS NULL
       OR refreshing_until < now())`,
    [workspace_id, token_version],
  );
  return taken > 0;
}

/** Releases the turn after a failed refresh. */
export async function endRefreshTurn(tx: Tx, workspaceId: string): Promise<void> {
  await tx.update(AccountingConnection, { workspace_id: workspaceId }, { refreshing_until: null });
}

/** Marks an access token as expired because it was refused early. The next call refreshes it. */
export async function expireAccessToken(
  tx: Tx,
  { workspace_id, token_version }: ConnectionTokens,
): Promise<void> {
  await tx.update(AccountingConnection, { workspace_id, token_version }, { access_expires_at: NOW });
}

/** Stores refreshed tokens, unless the workspace was reconnected in the meantime. */
export async function saveTokens(tx: Tx, before: ConnectionTokens, tokens: Tokens): Promise<void> {
  const { workspace_id, token_version } = before;
  const { access_token, refresh_token, access_expires_at } = tokens;
  await tx.update(
    AccountingConnection,
    { workspace_id, token_version },
    {
      access_token,
      refresh_token,
      access_expires_at,
      token_version: token_version + 1,
      refreshing_until: null,
    },
  );
}

/**
 * Connects a workspace to an organisation, or reconnects it, and sends pending updates. A workspace always
 * stays with the same organisation, which has its numbers and payments. Errors: 409
 * `accounting_organisation_taken`.
 */
export async function connect(
  tx: Tx,
  connection: Tokens & { workspace_id: string; tenant_id: string; organisation: string },
): Promise<void> {
  const { workspace_id: id, tenant_id } = connection;
  const before = await lockConnection(tx, id);
  if (before && before.tenant_id !== tenant_id) {
    const message =
      `This workspace has documents in the organisation ${before.organisation}. Connect that ` +
      'organisation.';
    throw new ApiError('accounting_organisation_taken', message);
  }
  await execute(
    tx,
    `INSERT INTO accounting_connections AS c (workspace_id, status, tenant_id, organisation, access_token,
                                              refresh_token, access_expires_at, connected_at)
     VALUES ($1, 'active', $2, $3, $4, $5, $6, now())
     ON CONFLICT (workspace_id) DO UPDATE SET status = 'active', organisation = excluded.organisation,
       access_token = excluded.access_token, refresh_token = excluded.refresh_token,
       access_expires_at = excluded.access_expires_at, token_version = c.token_version + 1,
         refreshing_until = NULL,
       revoked_at = NULL, connected_at = now()`,
    [
      id,
      tenant_id,
      connection.organisation,
      connection.access_token,
      connection.refresh_token,
      connection.access_expires_at,
    ],
  );
  await requeueAccountingUpdates(tx, id);
  await auditConnection(tx, id, before);
}

/**
 * Records that the organisation has withdrawn its consent for these tokens, and enqueues mail to the owner.
 * If the connection has other tokens by now, it is newer and stays.
 */
export async function revokeConnection(tx: Tx, failed: ConnectionTokens): Promise<void> {
  const { workspace_id, token_version } = failed;
  const before = await lockConnection(tx, workspace_id);
  const { to: status } = CONNECTION_TRANSITIONS.revoke;
  if (!before || !canMove(CONNECTION_TRANSITIONS.revoke, before.status)) return;
  if (before.token_version !== token_version) return;
  await tx.update(AccountingConnection, { workspace_id }, { status, revoked_at: NOW });
  await auditConnection(tx, workspace_id, before);
  const about = `${workspace_id}:${before.connected_at.toISOString()}`;
  await enqueueMail(tx, { workspace_id, kind: 'accounting_disconnected', about });
}

/** Records that the workspace has ended its connection. It stays with its organisation. */
export async function endConnection(tx: Tx, by: Actor): Promise<void> {
  const { workspace_id } = by;
  const before = await lockConnection(tx, workspace_id);
  if (!before || !canMove(CONNECTION_TRANSITIONS.disconnect, before.status)) return;
  const { to: status } = CONNECTION_TRANSITIONS.disconnect;
  await tx.update(AccountingConnection, { workspace_id }, { status });
  await auditConnection(tx, workspace_id, before, by);
}

/** Records the time until which the organisation accepts no calls. */
export async function limitConnection(tx: Tx, workspaceId: string, until: Date): Promise<void> {
  await tx.update(AccountingConnection, { workspace_id: workspaceId }, { limited_until: until });
}

/** Stores the accounts, tax types and currencies of the organisation. */
export async function saveChart(tx: Tx, workspaceId: string, chart: Chart): Promise<void> {
  await execute(
    tx,
    `INSERT INTO accounting_charts (workspace_id, chart, read_at) VALUES ($1, $2, now())
     ON CONFLICT (workspace_id) DO UPDATE SET chart = excluded.chart, read_at = excluded.read_at`,
    [workspaceId, JSON.stringify(chart)],
  );
}

async function auditConnection(
  tx: Tx,
  id: string,
  before: AccountingConnection | null,
  by: Actor = { workspace_id: id, system: 'accounting' },
): Promise<void> {
  await auditEdit(tx, by, {
    action: 'workspace.updated',
    object: id,
    before: { accounting: presentAccounting(before) },
    after: { accounting: presentAccounting(await findConnection(tx, id)) },
  });
}

/**
 * Changes the settings of a connection. Pending updates are sent when it is enabled again. Returns false if
 * there is none.
 */
export async function updateConnection(
  tx: Tx,
  workspaceId: string,
  settings: Partial<Pick<AccountingConnection, 'enabled' | 'sales_account' | 'payment_account'>>,
): Promise<boolean> {
  const before = await lockConnection(tx, workspaceId);
  if (!before) return false;
  await tx.update(AccountingConnection, { workspace_id: workspaceId }, settings);
  if (settings.enabled && !before.enabled) await requeueAccountingUpdates(tx, workspaceId);
  return true;
}

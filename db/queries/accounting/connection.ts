import { column, exists, maybeOne } from '../../query.js';
import { AccountingChart, AccountingConnection } from '../../entities/accounting.js';
import type { Tx } from '../../transaction.js';

const CONNECTION = {
  name: 'accounting_connection',
  text: `SELECT c.* FROM accounting_connections c WHERE c.workspace_id = $1`,
};

/** Returns a workspace's connection, or null. */
export function findConnection(tx: Tx, workspaceId: string): Promise<AccountingConnection | null> {
  return maybeOne<AccountingConnection>(tx, CONNECTION, [workspaceId]);
}

/** Returns a page of the workspaces with a usable connection, or the given one if it has one. */
export function listConnectedWorkspaces(
  tx: Tx,
  page: { workspaceId: string | undefined; after: string; limit: number },
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT c.workspace_id FROM accounting_connections c
     WHERE c.enabled AND c.status = 'active' AND ($1::text IS NULL OR c.workspace_id = $1)
       AND c.workspace_id > $2
     ORDER BY c.workspace_id LIMIT $3`,
    [page.workspaceId ?? null, page.after, page.limit],
  );
}

/**
 * Does the same, but only returns workspaces for which the hourly sync has something to do: payable invoices,
 * writes whose notification is older than `overdueSeconds`, or a chart that was not read for a day.
 */
export function listWorkspacesToSync(
  tx: Tx,
  page: { workspaceId: string | undefined; after: string; limit: number; overdueSeconds: number },
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT c.workspace_id FROM accounting_connections c
     LEFT JOIN accounting_charts t ON t.workspace_id = c.workspace_id
     WHERE c.enabled AND c.status = 'active' AND ($1::text IS NULL OR c.workspace_id = $1)
       AND c.workspace_id > $2
       AND (t.read_at IS NULL OR t.read_at < now() - interval '1 day'
         OR EXISTS (SELECT FROM invoices i WHERE i.workspace_id = c.workspace_id
           AND i.status IN ('open', 'authorised') AND i.total_minor > 0)
         OR EXISTS (SELECT FROM accounting_due d WHERE d.workspace_id = c.workspace_id
           AND d.notified_at < now() - make_interval(secs => $4)))
     ORDER BY c.workspace_id LIMIT $3`,
    [page.workspaceId ?? null, page.after, page.limit, page.overdueSeconds],
  );
}

/** True if an organisation is or was connected to a workspace. */
export function isOrganisationConnected(tx: Tx, tenantId: string): Promise<boolean> {
  return exists(tx, `SELECT FROM accounting_connections WHERE tenant_id = $1`, [tenantId]);
}

/** Returns the chart of a workspace's organisation, and when it was read; null if it was never read. */
export function findChart(tx: Tx, workspaceId: string): Promise<AccountingChart | null> {
  return tx.findOneBy(AccountingChart, { workspace_id: workspaceId });
}

/** True if a workspace's chart was not read for a day. */
export function isChartStale(tx: Tx, workspaceId: string): Promise<boolean> {
  return exists(
    tx,
    `SELECT FROM accounting_connections c LEFT JOIN accounting_charts t ON t.workspace_id = c.workspace_id
     WHERE c.workspace_id = $1 AND (t.read_at IS NULL OR t.read_at < now() - interval '1 day')`,
    [workspaceId],
  );
}

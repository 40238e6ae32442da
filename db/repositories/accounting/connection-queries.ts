import { column } from '../../query.js';
import { repository, type Row } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A workspace's connection to an organisation in the accounting system; the tokens are encrypted. */
export type AccountingConnection = Row<'accounting_connections'>;

/** A workspace's connection, or null. */
export function findConnection(tx: Tx, workspaceId: string): Promise<AccountingConnection | null> {
  return repository(tx, 'accounting_connections').findOneBy({ workspace_id: workspaceId });
}

/** A workspace's accounting as the API shows it. */
export const accountingOf = (connection: AccountingConnection | null) => ({
  enabled: connection?.enabled ?? false,
  status: connection?.status ?? 'unconfigured',
  organisation: connection?.organisation ?? null,
});

/** The workspaces with a usable connection, one or all. */
export function listConnectedWorkspaces(tx: Tx, workspaceId: string | undefined): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT workspace_id FROM accounting_connections
     WHERE enabled AND status = 'active' AND ($1::text IS NULL OR workspace_id = $1) ORDER BY workspace_id`,
    [workspaceId ?? null],
  );
}

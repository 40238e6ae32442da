import type { LineAccount } from '../../../domain/accounting/settings.js';
import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Lists the separate accounts of the current rates and the extras of a workspace, by name. */
export const listLineAccounts = (tx: Tx, workspaceId: string): Promise<LineAccount[]> =>
  many<LineAccount>(
    tx,
    `SELECT 'rooms.' || r.id || '.rates.' || rate.id AS path, rate.name, r.name AS room_name,
            rate.accounting_account AS account
     FROM rooms r, jsonb_to_recordset(r.rates) AS rate (id text, name text, accounting_account text)
     WHERE r.workspace_id = $1 AND NOT r.archived AND rate.accounting_account IS NOT NULL
     UNION ALL
     SELECT 'extras.' || id, name, NULL, accounting_account FROM extras
     WHERE workspace_id = $1 AND NOT archived AND accounting_account IS NOT NULL
     ORDER BY room_name NULLS FIRST, name, path LIMIT 1000`,
    [workspaceId],
  );

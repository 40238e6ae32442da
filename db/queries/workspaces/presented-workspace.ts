import { findChart, findConnection } from '../accounting/connection.js';
import { listLineAccounts } from '../accounting/line-account.js';
import { findSsoConnection } from '../single-sign-on/single-sign-on.js';
import { findRecovery } from './recovery.js';
import { findWorkspace } from './workspace.js';
import type { Tx } from '../../transaction.js';
import { presentWorkspace } from '../../../domain/workspaces/presenter.js';

/** Returns a workspace as the API returns it. */
export async function presentedWorkspace(tx: Tx, id: string) {
  const chart = await findChart(tx, id);
  const connection = await findConnection(tx, id);
  const recovery = await findRecovery(tx, id);
  const lineAccounts = chart ? await listLineAccounts(tx, id) : [];
  const workspace = (await findWorkspace(tx, id))!;
  const sso = await findSsoConnection(tx, id);
  return presentWorkspace(
    workspace,
    connection,
    chart?.chart ?? null,
    lineAccounts,
    new Date(),
    recovery,
    sso,
  );
}

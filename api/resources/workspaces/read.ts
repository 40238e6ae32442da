import { findChart, findConnection } from '../../../db/queries/accounting/connection.js';
import { listLineAccounts } from '../../../db/queries/accounting/line-account.js';
import { findSsoConnection } from '../../../db/queries/single-sign-on/single-sign-on.js';
import { findRecovery } from '../../../db/queries/workspaces/recovery.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import type { Tx } from '../../../db/transaction.js';
import { presentWorkspace } from '../../../domain/workspaces/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';

/** A workspace as the API returns it. */
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

/** `GET /v1/workspace` */
export function get({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    ctx.body = await presentedWorkspace(db.manager, ctx.state.principal.workspace_id);
  };
}

import { enableConnection } from '../../db/repositories/accounting/connections.js';
import { auditEdit } from '../../db/repositories/workspaces/audit.js';
import { lockWorkspace, updateWorkspace } from '../../db/repositories/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from '../http/context.js';
import { presentedWorkspace } from './read.js';
import type { UpdateBody } from './schema.js';

/** `PATCH /v1/workspace` (docs/rules/workspace.md#settings). Errors: 412 `accounting_unconfigured`, 422. */
export function update({ db }: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    const { principal } = ctx.state;
    const { workspace_id: id } = principal;
    ctx.body = await transaction(db, async (tx) => {
      const workspace = (await lockWorkspace(tx, { id }))!;
      const before = await presentedWorkspace(tx, id);
      const { accounting, maintenance, ...changes } = ctx.state.body as UpdateBody;
      if (maintenance !== undefined) {
        changes.maintenance_starts_at = maintenance && maintenance.starts_at;
        changes.maintenance_ends_at = maintenance && maintenance.ends_at;
      }
      if (changes.tier_prices) changes.tier_prices = { ...workspace.tier_prices, ...changes.tier_prices };
      await updateWorkspace(tx, id, changes);
      if (accounting && !(await enableConnection(tx, id, accounting.enabled)))
        throw new ApiError(
          'accounting_unconfigured',
          'This workspace has no accounting system. Connect one first.',
        );
      const after = await presentedWorkspace(tx, id);
      await auditEdit(tx, principal, { action: 'workspace.updated', object: id, before, after });
      return after;
    });
  };
}

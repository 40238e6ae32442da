import { updateConnection } from '../../db/repositories/accounting/connections.js';
import { auditEdit } from '../../db/repositories/workspaces/audit.js';
import { lockWorkspace, updateWorkspace } from '../../db/repositories/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import type { ApiDependencies } from '../dependencies.js';
import type { Handler } from '../http/context.js';
import { presentedWorkspace } from './read.js';
import type { UpdateBody } from './schema.js';

type Presented = Awaited<ReturnType<typeof presentedWorkspace>>;

/** The problems of the accounting settings follow from the settings, so they are no edit. */
const withoutProblems = ({ accounting, ...rest }: Presented) => ({
  ...rest,
  accounting: { ...accounting, problems: undefined },
});

/** `PATCH /v1/workspace` (docs/rules/workspace.md#settings). Errors: 412 `accounting_unconfigured`, 422. */
export function update(deps: Pick<ApiDependencies, 'db'>): Handler {
  return async (ctx) => {
    ctx.body = await updateWorkspaceSettings(deps, ctx.state.principal, ctx.state.body as UpdateBody);
  };
}

/** Changes settings of a workspace. Returns it as it is then. */
export function updateWorkspaceSettings(
  { db }: Pick<ApiDependencies, 'db'>,
  principal: Principal,
  body: UpdateBody,
): Promise<Presented> {
  const { workspace_id: id } = principal;
  return transaction(db, async (tx) => {
    const workspace = (await lockWorkspace(tx, { id }))!;
    const before = await presentedWorkspace(tx, id);
    const { accounting, maintenance, ...changes } = body;
    if (maintenance !== undefined) {
      changes.maintenance_starts_at = maintenance && maintenance.starts_at;
      changes.maintenance_ends_at = maintenance && maintenance.ends_at;
    }
    if (changes.tier_prices) changes.tier_prices = { ...workspace.tier_prices, ...changes.tier_prices };
    await updateWorkspace(tx, id, changes);
    if (accounting && !(await updateConnection(tx, id, accounting)))
      throw new ApiError('accounting_unconfigured', 'Connect the workspace to an accounting system first.');
    const after = await presentedWorkspace(tx, id);
    await auditEdit(tx, principal, {
      action: 'workspace.updated',
      object: id,
      before: withoutProblems(before),
      after: withoutProblems(after),
    });
    return after;
  });
}

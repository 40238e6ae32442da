import type joi from 'joi';
import { auditEdit, type System } from '../../commands/audit-log/audit.js';
import { setMaintenance, type Maintenance } from '../../commands/workspaces/maintenance.js';
import { lockWorkspace } from '../../commands/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { ApiDependencies } from '../dependencies.js';
import { text } from '../http/fields.js';
import { string, typed, type Infer } from '../http/typed.js';
import { presentedWorkspace } from '../resources/workspaces/read.js';
import { maintenanceWindow } from '../resources/workspaces/shape.js';

export const maintenanceSchema = typed<Maintenance & { workspace_id: string }, joi.ObjectSchema>(
  maintenanceWindow.keys({ action: string, workspace_id: text(64).required() }),
);
type MaintenanceBody = Infer<typeof maintenanceSchema>;

/**
 * The internal action `maintenance`: like the workspace's own setting, but it may begin immediately
 * (docs/rules/workspace.md#maintenance). Returns `{workspace_id, maintenance}`.
 */
export function startMaintenance(
  { db }: Pick<ApiDependencies, 'db'>,
  { workspace_id: id, starts_at, ends_at }: MaintenanceBody,
  by: System,
): Promise<unknown> {
  return transaction(db, async (tx) => {
    await lockWorkspace(tx, { id });
    const before = await presentedWorkspace(tx, id);
    await setMaintenance(tx, id, { starts_at, ends_at });
    const after = await presentedWorkspace(tx, id);
    await auditEdit(
      tx,
      { workspace_id: id, ...by },
      { action: 'workspace.updated', object: id, before, after },
    );
    return { workspace_id: id, maintenance: after.maintenance };
  });
}

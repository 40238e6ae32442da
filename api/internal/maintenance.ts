import type joi from 'joi';
import type { System } from '../../commands/audit-log/audit.js';
import { startMaintenance as start } from '../../commands/workspaces/settings.js';
import type { Maintenance } from '../../domain/workspaces/settings.js';
import type { ApiDependencies } from '../dependencies.js';
import { text } from '../http/fields.js';
import { string, typed, type Infer } from '../http/typed.js';
import { maintenanceWindow } from '../resources/workspaces/operations.js';

export const maintenanceSchema = typed<Maintenance & { workspace_id: string }, joi.ObjectSchema>(
  maintenanceWindow.keys({ action: string, workspace_id: text(64).required() }),
);
type MaintenanceBody = Infer<typeof maintenanceSchema>;

/**
 * The internal action `maintenance`: like the workspace's own setting, but it may begin immediately
 * (docs/rules/workspace.md#maintenance). Returns `{workspace_id, maintenance}`.
 */
export async function startMaintenance(
  { db }: Pick<ApiDependencies, 'db'>,
  { workspace_id, starts_at, ends_at }: MaintenanceBody,
  by: System,
): Promise<unknown> {
  return { workspace_id, maintenance: await start(db, { workspace_id, ...by }, { starts_at, ends_at }) };
}

import type { Maintenance } from '../../domain/workspaces/settings.js';
import { enqueueMail } from '../mail/mails.js';
import type { Tx } from '../../db/transaction.js';
import { updateWorkspace } from './workspaces.js';

/** Sets a locked workspace's maintenance and announces it to the owner by mail. Null ends or withdraws it. */
export async function setMaintenance(tx: Tx, id: string, maintenance: Maintenance | null): Promise<void> {
  const { starts_at = null, ends_at = null } = maintenance ?? {};
  await updateWorkspace(tx, id, { maintenance_starts_at: starts_at, maintenance_ends_at: ends_at });
  if (!maintenance) return;
  const about = [id, maintenance.starts_at.toISOString(), maintenance.ends_at.toISOString()].join('/');
  await enqueueMail(tx, { workspace_id: id, kind: 'maintenance_announced', about });
}

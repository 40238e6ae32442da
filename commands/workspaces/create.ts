import type { DataSource } from 'typeorm';
import type { ApiToken } from '../../db/entities/access.js';
import { transaction } from '../../db/transaction.js';
import { DAY_MS } from '../../domain/durations.js';
import { nameFromAddress } from '../../domain/names.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { insertApiKey } from '../api-keys/api-keys.js';
import type { System } from '../audit-log/audit.js';
import { auditOperator } from '../audit-log/operator.js';
import { enqueueMail } from '../mail/mails.js';
import { insertMember } from '../members/members.js';
import { grantHours } from '../subscriptions/member-cycle.js';
import { takePlace } from './quotas.js';
import { storedZone } from './settings.js';
import { insertWorkspace } from './workspaces.js';

const KEY_DAYS = 90;

export interface NewWorkspace {
  name: string;
  owner_email: string;
  time_zone: string;
  currency: string;
  processor_account_id?: string;
}

/**
 * Creates a workspace with its owner, who gets mail about how to sign in, and a key with all scopes. `token`:
 * the stored form of the key's token. Errors: 409 `processor_account_taken`; 422 on `time_zone`.
 */
export const createWorkspace = (
  { db, quotas }: { db: DataSource; quotas: Quotas },
  by: System,
  { name, owner_email, time_zone, currency, processor_account_id }: NewWorkspace,
  token: Pick<ApiToken, 'hash' | 'fingerprint' | 'prefix'>,
): Promise<{ workspace_id: string; owner_member_id: string }> =>
  transaction(db, async (tx) => {
    const workspace_id = await insertWorkspace(tx, {
      name,
      time_zone: await storedZone(tx, time_zone),
      currency,
      processor_account_id: processor_account_id ?? null,
    });
    await takePlace(tx, quotas, workspace_id, 'members');
    const owner = await insertMember(tx, {
      workspace_id,
      email: owner_email,
      name: nameFromAddress(owner_email),
      role: 'owner',
      tier: 'enterprise',
    });
    const { id: owner_member_id } = await grantHours(tx, owner);
    await insertApiKey(tx, {
      workspace_id,
      member_id: owner_member_id,
      name: 'First key',
      token,
      resources: ['calendar', 'billing', 'members', 'credentials', 'webhooks', 'workspace'],
      actions: ['read', 'write', 'delete', 'invite'],
      expires_at: new Date(Date.now() + KEY_DAYS * DAY_MS),
    });
    await enqueueMail(tx, { workspace_id, kind: 'workspace_created', about: workspace_id });
    const entry = { action: 'workspace.created', object: workspace_id, details: { name } };
    await auditOperator(tx, { workspace_id, ...by }, entry);
    return { workspace_id, owner_member_id };
  });

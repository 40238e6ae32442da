import { insertApiKey } from '../../db/repositories/access/api-keys.js';
import { insertMember } from '../../db/repositories/members/members.js';
import { insertWorkspace } from '../../db/repositories/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import type { ApiDependencies } from '../dependencies.js';
import { mintToken } from '../http/tokens.js';
import { connectNewOrganisation } from '../workspace/accounting.js';

const KEY_DAYS = 90;

export interface NewWorkspace {
  name: string;
  owner_email: string;
  time_zone: string;
  currency: string;
  processor_account_id?: string;
  /** Whether it is connected to an organisation of its own, which only the simulator makes. */
  accounting?: boolean;
}

/**
 * The internal action `create_workspace`: a workspace with its owner and a key that may do everything the owner
 * may. Errors: 409 `processor_account_taken`, and as `connectNewOrganisation`; then the workspace stays unconnected.
 */
export async function createWorkspace(
  deps: ApiDependencies,
  input: NewWorkspace,
): Promise<{ workspace_id: string; owner_member_id: string; token: string }> {
  const { token, record } = mintToken();
  const made = await transaction(deps.db, async (tx) => {
    const workspace_id = await insertWorkspace(tx, {
      name: input.name,
      time_zone: input.time_zone,
      currency: input.currency,
      processor_account_id: input.processor_account_id ?? null,
    });
    const { id: owner_member_id } = await insertMember(tx, {
      workspace_id,
      email: input.owner_email,
      name: input.owner_email.split('@')[0]!,
      role: 'owner',
      tier: 'enterprise',
    });
    await insertApiKey(tx, {
      workspace_id,
      member_id: owner_member_id,
      name: 'First key',
      token: record,
      resources: ['calendar', 'billing', 'members', 'credentials', 'webhooks', 'workspace'],
      actions: ['read', 'write', 'delete', 'invite'],
      expires_at: new Date(Date.now() + KEY_DAYS * 86_400_000),
    });
    return { workspace_id, owner_member_id, token };
  });
  const { name, currency } = input;
  if (input.accounting) await connectNewOrganisation(deps, { id: made.workspace_id, name, currency });
  return made;
}

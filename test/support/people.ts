import { insertApiKey } from '../../commands/api-keys/api-keys.js';
import { markAccepted } from '../../commands/members/accept-membership.js';
import { insertMember } from '../../commands/members/members.js';
import { mintToken } from '../../api/http/tokens.js';
import { DAY_MS } from '../../domain/durations.js';
import {
  SCOPE_ACTIONS,
  SCOPE_RESOURCES,
  type Role,
  type ScopeAction,
  type ScopeResource,
} from '../../domain/policies.js';
import type { Tier } from '../../domain/rates/price.js';
import { client, type ApiClient } from './api-client.js';
import { db } from './stack.js';
import { uniqueEmail, type TestWorkspace } from './workspaces.js';

export interface Person {
  id: string;
  email: string;
  api: ApiClient;
}

interface KeyOptions {
  resources?: readonly ScopeResource[];
  actions?: readonly ScopeAction[];
  expires_at?: Date;
}

/**
 * Creates a key for a member of the workspace, by default with every scope. Returns a client that uses it.
 */
export async function newKey(
  workspace: TestWorkspace,
  memberId: string,
  options: KeyOptions = {},
): Promise<ApiClient> {
  const { token, record } = mintToken();
  await insertApiKey(db.manager, {
    workspace_id: workspace.id,
    member_id: memberId,
    name: 'Test key',
    token: record,
    resources: [...(options.resources ?? SCOPE_RESOURCES)],
    actions: [...(options.actions ?? SCOPE_ACTIONS)],
    expires_at: options.expires_at ?? new Date(Date.now() + DAY_MS),
  });
  return client(token);
}

/**
 * Creates an active member of the workspace with a key, directly in the database. They have
 * accepted the membership.
 */
export async function newMember(
  workspace: TestWorkspace,
  {
    name = 'Mel Member',
    role = 'member',
    tier = 'basic',
    company_id,
  }: { name?: string; role?: Role; tier?: Tier; company_id?: string } = {},
): Promise<Person> {
  const email = uniqueEmail();
  const { id } = await insertMember(db.manager, {
    workspace_id: workspace.id,
    email,
    name,
    role,
    tier,
    company_id,
  });
  await markAccepted(db.manager, id);
  return { id, email, api: await newKey(workspace, id) };
}

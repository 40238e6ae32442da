import { insertApiKey } from '../../commands/api-keys/api-keys.js';
import { grantHours } from '../../commands/subscriptions/member-cycle.js';
import { insertMember } from '../../commands/members/members.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { takePlace } from '../../commands/workspaces/quotas.js';
import type { System } from '../../commands/audit-log/audit.js';
import { insertWorkspace } from '../../commands/workspaces/workspaces.js';
import { transaction } from '../../db/transaction.js';
import { DAY_MS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { nameFromAddress } from '../../domain/names.js';
import type { ApiDependencies } from '../dependencies.js';
import { currency, email, text, timeZone } from '../http/fields.js';
import { mintToken } from '../http/tokens.js';
import { boolean, object, string, withDefault, type Infer } from '../http/typed.js';
import { name } from '../resources/shared/name.js';
import { storedZone } from '../../commands/workspaces/settings.js';
import { assertSimulatedAccounting, connectNewOrganisation } from '../resources/workspaces/connect.js';
import { auditOperator } from './operator-entry.js';

const KEY_DAYS = 90;

export const createWorkspaceSchema = object(
  {
    action: string,
    name,
    owner_email: email,
    time_zone: withDefault(timeZone, 'Europe/London'),
    currency: withDefault(currency, 'GBP'),
    processor_account_id: text(255).pattern(/^acct_\w+$/, 'an account id (acct_…)'),
    /** Also connects a new organisation of the accounting simulator. */
    accounting: boolean,
  },
  'name',
  'owner_email',
);
type NewWorkspace = Infer<typeof createWorkspaceSchema>;

/** A created workspace. */
export interface CreatedWorkspace {
  workspace_id: string;
  owner_member_id: string;
  /** The key, which is shown only here. */
  token: string;
  /** Why the organisation could not be connected; connect one later. */
  accounting_error?: string;
}

/**
 * The internal action `create_workspace`: a workspace with its owner, who is mailed how to sign in, and a
 * key that has all scopes. Errors: 409 `processor_account_taken`; 422 for `accounting` outside of
 * development. Once the workspace exists the key is returned in any case: an organisation that could not be
 * connected is reported beside it.
 */
export async function createWorkspace(
  deps: ApiDependencies,
  input: NewWorkspace,
  by: System,
): Promise<CreatedWorkspace> {
  if (input.accounting) assertSimulatedAccounting(deps);
  const { token, record } = mintToken();
  const created = await transaction(deps.db, async (tx) => {
    const workspace_id = await insertWorkspace(tx, {
      name: input.name,
      time_zone: await storedZone(tx, input.time_zone),
      currency: input.currency,
      processor_account_id: input.processor_account_id ?? null,
    });
    await takePlace(tx, deps.quotas, workspace_id, 'members');
    const owner = await insertMember(tx, {
      workspace_id,
      email: input.owner_email,
      name: nameFromAddress(input.owner_email),
      role: 'owner',
      tier: 'enterprise',
    });
    const { id: owner_member_id } = await grantHours(tx, owner);
    await insertApiKey(tx, {
      workspace_id,
      member_id: owner_member_id,
      name: 'First key',
      token: record,
      resources: ['calendar', 'billing', 'members', 'credentials', 'webhooks', 'workspace'],
      actions: ['read', 'write', 'delete', 'invite'],
      expires_at: new Date(Date.now() + KEY_DAYS * DAY_MS),
    });
    await enqueueMail(tx, { workspace_id, kind: 'workspace_created', about: workspace_id });
    const entry = { action: 'workspace.created', object: workspace_id, details: { name: input.name } };
    await auditOperator(tx, { workspace_id, ...by }, entry);
    return { workspace_id, owner_member_id, token };
  });
  const { name, currency } = input;
  if (!input.accounting) return created;
  try {
    await connectNewOrganisation(deps, { id: created.workspace_id, name, currency });
    return created;
  } catch (error) {
    deps.log.warn({ err: error, workspace: created.workspace_id }, 'no organisation could be connected');
    const message = error instanceof ApiError ? error.message : 'The accounting system did not respond.';
    return { ...created, accounting_error: message };
  }
}

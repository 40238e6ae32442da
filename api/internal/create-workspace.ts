import type { System } from '../../commands/audit-log/audit.js';
import { createWorkspace as create } from '../../commands/workspaces/create.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import { currency, email, text, timeZone } from '../http/fields.js';
import { mintToken } from '../http/tokens.js';
import { boolean, object, string, withDefault, type Infer } from '../http/typed.js';
import { name } from '../resources/shared/name.js';
import { assertSimulatedAccounting, connectNewOrganisation } from '../resources/workspaces/connect.js';

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
 * The internal action `create_workspace`: creates a workspace with its owner, who gets an email about signing
 * in, and a key with all scopes. Errors: 409 `processor_account_taken`; 422 for `accounting` outside of
 * development. Once the workspace exists, the key is always returned: if the organisation could not be
 * connected, `accounting_error` reports it.
 */
export async function createWorkspace(
  deps: ApiDependencies,
  input: NewWorkspace,
  by: System,
): Promise<CreatedWorkspace> {
  if (input.accounting) assertSimulatedAccounting(deps);
  const { token, record } = mintToken();
  const created = { ...(await create(deps, by, input, record)), token };
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

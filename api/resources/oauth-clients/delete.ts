import { revokeApiKeys } from '../../../commands/access/api-keys.js';
import { deleteOauthClient } from '../../../commands/access/oauth-clients.js';
import { audit } from '../../../commands/workspaces/audit.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import { presentOauthClient } from '../../../domain/presenters/oauth-client.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { isClientId } from './schema.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** `DELETE /v1/oauth-clients/{id}` */
export function remove(deps: Deps): Handler {
  return async (ctx) => {
    await deleteClient(deps, ctx.state.principal, ctx.params.id!);
    ctx.status = 204;
  };
}

/** Deletes a client with all of its grants and tokens. Errors: 404 `not_found`. */
export async function deleteClient({ db }: Deps, principal: Principal, id: string): Promise<void> {
  if (!isClientId(id)) throw clientNotFound();
  await transaction(db, async (tx) => {
    await revokeApiKeys(tx, principal, { oauth_client_id: id }, 'revoked_by_member');
    const client = await deleteOauthClient(tx, principal.workspace_id, id);
    if (!client) throw clientNotFound();
    const before = presentOauthClient(client);
    await audit(tx, principal, { action: 'oauth_client.deleted', object: id, details: { before } });
  });
}

const clientNotFound = (): ApiError => new ApiError('not_found', 'No such OAuth client.');

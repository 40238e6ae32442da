import { revokeApiKeys } from '../../../commands/api-keys/api-keys.js';
import { bindKey, type IdempotencyKey, originalDeleted } from '../../../commands/api-keys/idempotency.js';
import {
  deleteOauthClient,
  findOauthClient,
  insertOauthClient,
  listOauthClients,
} from '../../../commands/applications/clients.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { newId } from '../../../db/ids.js';
import { transaction } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import type { Principal } from '../../../domain/policies.js';
import { presentOauthClient } from '../../../domain/applications/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { idempotencyOf } from '../../http/idempotency.js';
import { listOf } from '../../http/list.js';
import { hashSecret, newSecret } from '../../http/secrets.js';
import { isClientId, type CreateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db'>;

/** `GET /v1/oauth-clients`, by creation time. */
export const list = listOf({
  find: listOauthClients,
  by: 'created_at',
  isId: isClientId,
  present: presentOauthClient,
});

/** `POST /v1/oauth-clients` */
export function create(deps: Deps): Handler<CreateBody> {
  return async (ctx) => {
    const { principal, body } = ctx.state;
    const { client, created } = await createClient(deps, principal, body, idempotencyOf(ctx));
    ctx.status = created ? 201 : 200;
    ctx.body = client;
  };
}

/**
 * Registers a client (docs/rules/credentials.md#oauth). `client_secret` is null for a public client and for a
 * repeat. Errors: 404 if the client of a repeat has been deleted; 409 `idempotency_conflict`.
 */
export async function createClient(
  { db }: Deps,
  principal: Principal,
  request: CreateBody,
  idempotency: IdempotencyKey | null,
) {
  const { workspace_id } = principal;
  const { name, redirect_uris } = request;
  const secret = request.public ? null : newSecret();
  const secret_hash = secret === null ? null : hashSecret(secret);
  return transaction(db, async (tx) => {
    const id = newId('client');
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    const created = bound === id;
    const client = created
      ? await insertOauthClient(tx, { id, workspace_id, name, redirect_uris, secret_hash })
      : await findOauthClient(tx, bound);
    if (!client) throw originalDeleted();
    const after = presentOauthClient(client);
    if (created)
      await audit(tx, principal, { action: 'oauth_client.created', object: id, details: { after } });
    return { created, client: { ...after, client_secret: created ? secret : null } };
  });
}

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

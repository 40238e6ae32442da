import type { DataSource } from 'typeorm';
import { execute, many, maybeOne } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { isId, newId } from '../../db/ids.js';
import { OAuthClient } from '../../db/entities/access.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { presentOauthClient } from '../../domain/applications/presenter.js';
import { toSites } from '../../domain/applications/redirect-uri.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { revokeApiKeys } from '../api-keys/api-keys.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit, type Actor } from '../audit-log/audit.js';

/** An application that can request access from members of a workspace. */
export type OauthClient = OAuthClient;

type Shown = ReturnType<typeof presentOauthClient> & { client_secret: string | null };

/**
 * Registers a client (docs/rules/credentials.md#oauth). Unless it is public, it gets a secret, of which the
 * hash is stored. For a repeated request, `client_secret` is null. Errors: 404 if the client of the original
 * request has been deleted; 409 `idempotency_conflict`.
 */
export function createOauthClient(
  db: DataSource,
  caller: Principal,
  { name, redirect_uris }: Pick<OAuthClient, 'name' | 'redirect_uris'>,
  secret: { plain: string; hash: Buffer } | null,
  idempotency: IdempotencyKey | null,
): Promise<Created<Shown>> {
  const { workspace_id } = caller;
  const newest = newId('client');
  return createOnce(
    db,
    { workspace_id, idempotency, id: newest },
    {
      async create(tx) {
        const client = await insertReturning(tx, OAuthClient, {
          id: newest,
          workspace_id,
          name,
          redirect_uris,
          secret_hash: secret?.hash ?? null,
          sites: toSites(redirect_uris),
        });
        const after = presentOauthClient(client);
        await audit(tx, caller, { action: 'oauth_client.created', object: newest, details: { after } });
      },
      async find(tx, id) {
        const client = await findOauthClient(tx, id);
        if (!client) return null;
        return {
          ...presentOauthClient(client),
          client_secret: id === newest ? (secret?.plain ?? null) : null,
        };
      },
    },
  );
}

/** Deletes a client with all of its grants and tokens. Errors: 404 `not_found`. */
export const deleteOauthClient = (db: DataSource, caller: Principal, id: string): Promise<void> =>
  transaction(db, async (tx) => {
    // A token that is being issued is stored before this, and revoked, or not at all.
    const client =
      isId('client', id) &&
      (await maybeOne<OAuthClient>(
        tx,
        `SELECT * FROM oauth_clients WHERE id = $1 AND workspace_id = $2 FOR UPDATE`,
        [id, caller.workspace_id],
      ));
    if (!client) throw new ApiError('not_found', 'No such OAuth client.');
    await revokeApiKeys(tx, caller, { oauth_client_id: id }, 'revoked_by_member');
    await execute(tx, `DELETE FROM oauth_clients WHERE id = $1 AND workspace_id = $2`, [
      id,
      caller.workspace_id,
    ]);
    const before = presentOauthClient(client);
    await audit(tx, caller, { action: 'oauth_client.deleted', object: id, details: { before } });
  });

/**
 * Revokes access that a member has given to an application: any grant of the workspace, or only a grant of
 * one member.
 */
export const withdrawGrant = (
  db: DataSource,
  caller: Principal,
  grant: { oauth_grant_id: string; member_id?: string },
): Promise<number> => transaction(db, (tx) => revokeApiKeys(tx, caller, grant, 'revoked_by_member'));

/** Finds a client of any workspace, since the request is not authenticated yet. */
export function findOauthClient(tx: Tx, id: string): Promise<OauthClient | null> {
  return tx.findOneBy(OAuthClient, { id });
}

/** Lists a workspace's clients by creation time. */
export function listOauthClients(
  tx: Tx,
  filter: { workspace_id: string; after?: { created_at: string; id: string }; limit: number },
): Promise<OauthClient[]> {
  return many<OauthClient>(
    tx,
    `SELECT * FROM oauth_clients
     WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3))
     ORDER BY created_at, id LIMIT $4`,
    [filter.workspace_id, filter.after?.created_at ?? null, filter.after?.id ?? null, filter.limit],
  );
}

/** Records in the audit log that a member has given an application access. */
export const recordGrant = (
  db: DataSource,
  by: Actor,
  { client_id, scopes }: { client_id: string; scopes: string[] },
): Promise<void> =>
  transaction(db, (tx) =>
    audit(tx, by, { action: 'oauth_grant.created', object: client_id, details: { scopes } }),
  );

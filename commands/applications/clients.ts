import { many, maybeOne } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { OAuthClient } from '../../db/entities/access.js';
import { sitesOf } from '../../domain/applications/redirect-uri.js';
import type { Tx } from '../../db/transaction.js';

/** An application that can request access from a workspace's members. */
export type OauthClient = OAuthClient;

/** Stores a client. */
export function insertOauthClient(
  tx: Tx,
  client: Omit<OauthClient, 'created_at' | 'sites'>,
): Promise<OauthClient> {
  return insertReturning(tx, OAuthClient, { ...client, sites: sitesOf(client.redirect_uris) });
}

/** A client of any workspace, since the request is not authenticated yet. */
export function findOauthClient(tx: Tx, id: string): Promise<OauthClient | null> {
  return tx.findOneBy(OAuthClient, { id });
}

/** A workspace's clients by creation time. */
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

/** Deletes a client whose grants were revoked. Returns it; null if the workspace has no such client. */
export function deleteOauthClient(tx: Tx, workspaceId: string, id: string): Promise<OauthClient | null> {
  return maybeOne<OauthClient>(
    tx,
    `DELETE FROM oauth_clients WHERE id = $1 AND workspace_id = $2 RETURNING *`,
    [id, workspaceId],
  );
}

import type { Tx } from '../../transaction.js';

/** An application that may ask a workspace's people for access. */
export interface OauthClient {
  id: string;
  workspace_id: string;
  name: string;
  redirect_uris: string[];
  /** Null for a public client. */
  secret_hash: Buffer | null;
  created_at: Date;
}

/** Stores a client. */
export async function insertOauthClient(
  tx: Tx,
  client: Omit<OauthClient, 'created_at'>,
): Promise<OauthClient> {
  const [row] = await tx.query(
    `INSERT INTO oauth_clients (id, workspace_id, name, redirect_uris, secret_hash) VALUES ($1, $2, $3, $4, $5)
     RETURNING *`,
    [client.id, client.workspace_id, client.name, client.redirect_uris, client.secret_hash],
  );
  return row;
}

/** A client of any workspace: whoever asks for it is not known yet. */
export async function findOauthClient(tx: Tx, id: string): Promise<OauthClient | null> {
  const [row] = await tx.query(`SELECT * FROM oauth_clients WHERE id = $1`, [id]);
  return row ?? null;
}

/** A workspace's clients, the oldest first. */
export function listOauthClients(
  tx: Tx,
  filter: { workspace_id: string; after?: { created_at: string; id: string }; limit: number },
): Promise<OauthClient[]> {
  return tx.query(
    `SELECT * FROM oauth_clients
     WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) > ($2, $3))
     ORDER BY created_at, id LIMIT $4`,
    [filter.workspace_id, filter.after?.created_at ?? null, filter.after?.id ?? null, filter.limit],
  );
}

/** Removes a client; the caller has revoked what people granted it. Null where the workspace has no such client. */
export async function deleteOauthClient(
  tx: Tx,
  workspaceId: string,
  id: string,
): Promise<OauthClient | null> {
  const [rows] = await tx.query(`DELETE FROM oauth_clients WHERE id = $1 AND workspace_id = $2 RETURNING *`, [
    id,
    workspaceId,
  ]);
  return rows[0] ?? null;
}

import { exists, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Returns whether a site, as returned by `toSite`, belongs to any public OAuth client. */
export const isSiteOfApplications = (tx: Tx, site: string): Promise<boolean> =>
  exists(tx, `SELECT FROM oauth_clients WHERE secret_hash IS NULL AND sites @> ARRAY[$1::text]`, [site]);

/**
 * Returns the sites of the public OAuth client that got an access token with this hash, even if the token has
 * ended, because its application must be able to read that error. Empty for API keys and for tokens of
 * confidential clients.
 */
export async function sitesOfApplication(tx: Tx, tokenHash: Buffer): Promise<string[]> {
  const client = await maybeOne<{ sites: string[] }>(
    tx,
    `SELECT c.sites FROM api_tokens t JOIN api_keys k ON k.id = t.key_id
      JOIN oauth_clients c ON c.id = k.oauth_client_id
     WHERE t.hash = $1 AND c.secret_hash IS NULL`,
    [tokenHash],
  );
  return client?.sites ?? [];
}

import { many } from '../../query.js';
import type { Tx } from '../../transaction.js';
import type { KeyResource } from '../../../domain/policies.js';

/** A grant that lets an OAuth application act for a member. */
export interface ConnectedApplication {
  grant_id: string;
  application: string;
  workspace_id: string;
  workspace_name: string;
  member_name: string;
  scopes: KeyResource[];
  created_at: Date;
  /** Accurate to the minute; null if it was never used. */
  last_used_at: Date | null;
}

/**
 * Lists the live grants of a person in all their workspaces, or of all members of a workspace, newest first.
 * A live grant is not revoked, and has an access or refresh token that has not expired.
 */
export function listConnectedApplications(
  tx: Tx,
  of: { profile_id: string } | { workspace_id: string },
): Promise<ConnectedApplication[]> {
  return many<ConnectedApplication>(
    tx,
    `SELECT k.oauth_grant_id AS grant_id, c.name AS application, w.id AS workspace_id,
      w.name AS workspace_name,
            m.name AS member_name, array_agg(DISTINCT scope.name ORDER BY scope.name) AS scopes,
            min(k.created_at) AS created_at,
            (SELECT max(t.last_used_at) FROM api_tokens t JOIN api_keys of_grant ON of_grant.id = t.key_id
             WHERE of_grant.oauth_grant_id = k.oauth_grant_id) AS last_used_at
     FROM api_keys k
     JOIN oauth_clients c ON c.id = k.oauth_client_id
     JOIN members m ON m.id = k.member_id
     JOIN workspaces w ON w.id = k.workspace_id
     CROSS JOIN LATERAL unnest(k.resources) AS scope (name)
     WHERE ($1::text IS NULL OR m.profile_id = $1) AND ($2::text IS NULL OR k.workspace_id = $2)
       AND k.revoked_at IS NULL
       AND (k.expires_at > now() OR EXISTS (
         SELECT FROM oauth_artifacts a WHERE a.grant_id = k.oauth_grant_id AND a.model = 'RefreshToken'
           AND a.expires_at > now() AND a.consumed_at IS NULL))
     GROUP BY k.oauth_grant_id, c.id, w.id, m.id ORDER BY created_at DESC, grant_id`,
    ['profile_id' in of ? of.profile_id : null, 'workspace_id' in of ? of.workspace_id : null],
  );
}

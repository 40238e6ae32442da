import type { ApiKeyRow } from '../../db/repositories/access/api-key-queries.js';

/** A key as lists show it (spec.md, "API key"): never its token. */
export const presentKey = (key: ApiKeyRow) => ({
  id: key.id,
  name: key.name,
  member_id: key.member_id,
  fingerprint: key.fingerprint,
  key_prefix: key.prefix,
  created_at: key.created_at.toISOString(),
  expires_at: key.expires_at.toISOString(),
  last_used_at: key.last_used_at?.toISOString() ?? null,
  revoked_at: key.revoked_at?.toISOString() ?? null,
  scope: { resources: key.resources, actions: key.actions, ip_allowlist: key.ip_allowlist },
  previous_token: key.previous_expires_at && {
    fingerprint: key.previous_fingerprint,
    expires_at: key.previous_expires_at.toISOString(),
    last_used_at: key.previous_last_used_at?.toISOString() ?? null,
  },
});

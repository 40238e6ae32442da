-- Returns a live token with the key and member for which it was issued, at a given moment; no row for a token
-- that is not live. Postgres inlines the query into the calling statement.
CREATE OR REPLACE FUNCTION find_caller(token bytea, address inet, moment timestamptz) RETURNS TABLE (
  key_id text, key_created_at timestamptz, workspace_id text, member_id text, profile_id text, role text,
  issuer_ids text[], resources text[], actions text[], ip_allowlist text[], ip_allowed boolean,
  maintenance_starts_at timestamptz, maintenance_ends_at timestamptz, is_first_use boolean
) LANGUAGE sql STABLE AS $$
  SELECT k.id, k.created_at, k.workspace_id, k.member_id, m.profile_id, a.role, t.issuer_ids,
         k.resources, k.actions, k.ip_allowlist::text[],
         k.ip_allowlist = '{}' OR address <<= ANY (k.ip_allowlist),
         w.maintenance_starts_at, w.maintenance_ends_at,
         t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment)
  FROM api_tokens t JOIN api_keys k ON k.id = t.key_id JOIN members m ON m.id = k.member_id
       JOIN workspaces w ON w.id = k.workspace_id
       CROSS JOIN LATERAL (SELECT CASE WHEN t.issuer_ids = '{}' THEN m.role
                                  ELSE acting_role(m.role, t.issuer_role, t.issuer_ids) END) a (role)
  WHERE t.hash = token AND (t.ends_at IS NULL OR t.ends_at > moment)
    AND k.revoked_at IS NULL AND k.expires_at > moment AND m.status NOT IN ('invited', 'archived', 'deleted')
    AND a.role IS NOT NULL
$$;

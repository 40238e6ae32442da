-- Returns the token before the last rotation of a key if it still works, and when it ends: at the latest with
-- its key (docs/rules/credentials.md#rotation).
CREATE OR REPLACE FUNCTION previous_token(k api_keys) RETURNS TABLE (
  fingerprint text, ends_at timestamptz, last_used_at timestamptz
) LANGUAGE sql STABLE AS $$
  SELECT p.fingerprint, least(p.ends_at, k.expires_at), p.last_used_at FROM api_tokens p
  WHERE p.key_id = k.id AND p.ends_at > now() AND k.expires_at > now() AND k.revoked_at IS NULL
$$;

-- Returns the publishable key with a token (null if there is no live one) as a site, and whether the limits
-- allow its request: docs/rules/credentials.md#publishable-keys. Counts it against the client's address and
-- against the key, in buckets that nothing else uses. buckets: as in authenticate_one; the key's are calendar
-- and workspace. The address's bucket is always locked before the key's, so that transactions do not
-- deadlock.
CREATE OR REPLACE FUNCTION authenticate_publishable(token bytea, address inet, buckets float8[])
  RETURNS TABLE (
  caller json, allowed integer, throttled boolean, own_size float8, own_rate float8, own_tokens float8,
  own_wait float8, total_tokens float8, total_wait float8
) LANGUAGE plpgsql AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  key text;
  is_first_use boolean;
  own rate_limit_buckets;
  shared rate_limit_buckets;
  taken record;
BEGIN
  IF token IS NOT NULL THEN
    SELECT row_to_json(k), k.key_id, k.is_first_use INTO caller, key, is_first_use
    FROM (
      SELECT k.id AS key_id, k.workspace_id, k.origins, k.room_ids, w.maintenance_starts_at,
        w.maintenance_ends_at,
             t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment) AS is_first_use
      FROM api_tokens t JOIN api_keys k ON k.id = t.key_id JOIN workspaces w ON w.id = k.workspace_id
      WHERE t.hash = token AND k.kind = 'publishable' AND k.revoked_at IS NULL
    ) k;
  END IF;
  own := lock_rate_limit_bucket('public_' || address_bucket(address));
  own_size := buckets[3][1];
  own_rate := buckets[3][2];
  IF key IS NOT NULL THEN
    shared := lock_rate_limit_bucket('public_' || key);
    IF is_first_use THEN
      UPDATE api_tokens t SET last_used_at = moment
      WHERE t.hash = token AND (t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment));
    END IF;
  END IF;
  taken := take_tokens(own, shared, own_size, own_rate, false, 1, 1, buckets, moment);
  own := taken.own;
  own_size := taken.own_size;
  own_rate := taken.own_rate;
  own_tokens := own.tokens;
  own_wait := taken.own_wait;
  allowed := taken.allowed;
  throttled := taken.throttled;
  UPDATE rate_limit_buckets b SET tokens = own.tokens, refilled_at = own.refilled_at,
    retry_after_windows = own.retry_after_windows, violated_at = own.violated_at,
    throttled_until = own.throttled_until
  WHERE b.id = own.id;
  IF shared.id IS NOT NULL THEN
    shared := taken.shared;
    total_tokens := shared.total_tokens;
    total_wait := taken.total_wait;
    UPDATE rate_limit_buckets b SET total_tokens = shared.total_tokens, refilled_at = shared.refilled_at
    WHERE b.id = shared.id;
  END IF;
  RETURN NEXT;
END $$;

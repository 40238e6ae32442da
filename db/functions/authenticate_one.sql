-- Returns the caller (null without a live token), and how many of their requests, all with the same cost, the
-- limits allow: see docs/rules/credentials.md#tokens and docs/rules/api.md#rate-limits. buckets: token,
-- calendar, address, throttled, workspace, each as its size and its refill rate per second. A caller without
-- a live token, or from outside their key's allowlist, counts against their address. This function and
-- authenticate_all lock buckets in order of id, so that transactions do not deadlock: ids of keys and
-- addresses sort before those of workspaces.
CREATE OR REPLACE FUNCTION authenticate_one(
  token bytea, address inet, calendar boolean, cost float8, requests integer, buckets float8[]
) RETURNS TABLE (
  caller json, allowed integer, throttled boolean, own_size float8, own_rate float8, own_tokens float8,
  own_wait float8, shared_tokens float8, shared_wait float8, total_tokens float8, total_wait float8
) LANGUAGE plpgsql AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  key text;
  workspace text;
  ip_allowed boolean;
  is_first_use boolean;
  own rate_limit_buckets;
  shared rate_limit_buckets;
  taken record;
BEGIN
  IF token IS NOT NULL THEN
    SELECT row_to_json(k), k.key_id, k.workspace_id, k.ip_allowed, k.is_first_use
    INTO caller, key, workspace, ip_allowed, is_first_use
    FROM find_caller(token, address, moment) k;
  END IF;
  IF ip_allowed THEN
    own := lock_rate_limit_bucket(key);
    own_size := buckets[1][1];
    own_rate := buckets[1][2];
    shared := lock_rate_limit_bucket(workspace);
    IF is_first_use THEN
      UPDATE api_tokens t SET last_used_at = moment
      WHERE t.hash = token AND (t.last_used_at IS NULL OR t.last_used_at < date_trunc('minute', moment));
    END IF;
  ELSE
    own := lock_rate_limit_bucket(address_bucket(address));
    own_size := buckets[3][1];
    own_rate := buckets[3][2];
  END IF;
  taken := take_tokens(own, shared, own_size, own_rate, calendar, cost, requests, buckets, moment);
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
    shared_tokens := CASE WHEN calendar THEN shared.tokens END;
    shared_wait := taken.shared_wait;
    total_tokens := shared.total_tokens;
    total_wait := taken.total_wait;
    UPDATE rate_limit_buckets b
    SET tokens = shared.tokens, total_tokens = shared.total_tokens, refilled_at = shared.refilled_at
    WHERE b.id = shared.id;
  END IF;
  RETURN NEXT;
  -- Occasionally deletes buckets that have long been full again. Skips locked ones, so that it never waits.
  IF random() < 0.0001 THEN
    DELETE FROM rate_limit_buckets WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM rate_limit_buckets WHERE refilled_at < now() - interval '1 hour'
      FOR UPDATE SKIP LOCKED));
  END IF;
END $$;

-- Does the same as authenticate_one for several callers, and returns their rows in the order of the
-- arguments. Each additional caller costs about a quarter of a separate statement. The generic plan is forced
-- because planning for the given callers each time would cost far more.
CREATE OR REPLACE FUNCTION authenticate_all(
  tokens bytea[], addresses inet[], calendars boolean[], costs float8[], counts integer[], buckets float8[]
) RETURNS TABLE (
  caller json, allowed integer, throttled boolean, own_size float8, own_rate float8, own_tokens float8,
  own_wait float8, shared_tokens float8, shared_wait float8, total_tokens float8, total_wait float8
) LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  moment CONSTANT timestamptz := clock_timestamp();
  is_first_use boolean;
  callers json[];
  own_ids text[];
  shared_ids text[];
  known boolean[];
  ids text[];
  locked rate_limit_buckets[];
  own_index integer;
  shared_index integer;
  kind integer;
  own rate_limit_buckets;
  shared rate_limit_buckets;
  taken record;
BEGIN
  SELECT array_agg(row_to_json(k) ORDER BY n),
         array_agg(CASE WHEN k.ip_allowed THEN k.key_id ELSE address_bucket(address) END ORDER BY n),
         array_agg(CASE WHEN k.ip_allowed THEN k.workspace_id END ORDER BY n),
         array_agg(k.ip_allowed ORDER BY n), bool_or(k.ip_allowed AND k.is_first_use)
  INTO callers, own_ids, shared_ids, known, is_first_use
  FROM unnest(tokens, addresses, calendars) WITH ORDINALITY c (token, address, calendar, n)
       LEFT JOIN LATERAL find_caller(token, address, moment) k ON true;

  -- Creates the buckets that do not exist and locks the others: ON CONFLICT locks them even if it updates
  -- nothing.
  INSERT INTO rate_limit_buckets AS b (id, tokens, refilled_at)
  SELECT DISTINCT id COLLATE "C", 'Infinity'::float8, moment FROM unnest(own_ids || shared_ids) id
  WHERE id IS NOT NULL ORDER BY id COLLATE "C"
  ON CONFLICT (id) DO UPDATE SET refilled_at = b.refilled_at WHERE false;
  SELECT array_agg(b.id), array_agg(b) INTO ids, locked
  FROM rate_limit_buckets b WHERE b.id = ANY (own_ids || shared_ids);

  -- Skips tokens that are locked by a rotation instead of waiting for it. Their next request updates them.
  IF is_first_use THEN
    UPDATE api_tokens t SET last_used_at = moment WHERE t.hash = ANY (ARRAY(
      SELECT u.hash FROM unnest(tokens, known) c (token, known) JOIN api_tokens u ON u.hash = c.token
      WHERE c.known AND (u.last_used_at IS NULL OR u.last_used_at < date_trunc('minute', moment))
      FOR NO KEY UPDATE OF u SKIP LOCKED));
  END IF;

  FOR i IN 1 .. cardinality(tokens) LOOP
    caller := callers[i];
    own_index := array_position(ids, own_ids[i]);
    own := locked[own_index];
    shared_index := array_position(ids, shared_ids[i]);
    shared := locked[shared_index];
    kind := CASE WHEN known[i] THEN 1 ELSE 3 END;
    taken := take_tokens(
      own, shared, buckets[kind][1], buckets[kind][2], calendars[i], costs[i], counts[i], buckets, moment);
    own := taken.own;
    locked[own_index] := own;
    own_size := taken.own_size;
    own_rate := taken.own_rate;
    own_tokens := own.tokens;
    own_wait := taken.own_wait;
    allowed := taken.allowed;
    throttled := taken.throttled;
    shared_tokens := NULL;
    shared_wait := NULL;
    total_tokens := NULL;
    total_wait := NULL;
    IF shared_index IS NOT NULL THEN
      shared := taken.shared;
      locked[shared_index] := shared;
      shared_tokens := CASE WHEN calendars[i] THEN shared.tokens END;
      shared_wait := taken.shared_wait;
      total_tokens := shared.total_tokens;
      total_wait := taken.total_wait;
    END IF;
    RETURN NEXT;
  END LOOP;
  UPDATE rate_limit_buckets b SET tokens = l.tokens, total_tokens = l.total_tokens,
    refilled_at = l.refilled_at,
    retry_after_windows = l.retry_after_windows, violated_at = l.violated_at,
    throttled_until = l.throttled_until
  FROM unnest(locked) l WHERE b.id = l.id;
END $$;

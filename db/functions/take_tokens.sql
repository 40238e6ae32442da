-- Takes the cost of a caller's requests from their own bucket, and unless its id is null from those of the
-- workspace, which are one row: from the one for all requests, and from its calendar's if that counts.
-- Returns both rows as they must be stored, the number of allowed requests, and the current limits: sizes in
-- tokens, rates in tokens per second, waits in seconds until one more request would be allowed. A negative
-- cost gives tokens back, which is always allowed.
CREATE OR REPLACE FUNCTION take_tokens(
  INOUT own rate_limit_buckets, INOUT shared rate_limit_buckets, INOUT own_size float8, INOUT own_rate float8,
  calendar boolean, cost float8, requests integer, buckets float8[], moment timestamptz,
  OUT allowed integer, OUT throttled boolean, OUT own_wait float8, OUT shared_wait float8,
  OUT total_wait float8
) LANGUAGE plpgsql AS $$
DECLARE
  shared_size CONSTANT float8 := buckets[2][1];
  shared_rate CONSTANT float8 := buckets[2][2];
  total_size CONSTANT float8 := buckets[5][1];
  total_rate CONSTANT float8 := buckets[5][2];
  elapsed float8;
  violations integer;
  -- Absorbs rounding errors.
  epsilon CONSTANT float8 := 1e-6;
BEGIN
  IF cost > 0 AND own.retry_after_windows <> '{}' THEN
    violations := least(requests, (SELECT count(*) FROM unnest(own.retry_after_windows) w WHERE w @> moment));
    own.retry_after_windows := ARRAY(
      SELECT w FROM unnest(own.retry_after_windows) w
      WHERE upper(w) > moment ORDER BY w @> moment DESC, w OFFSET violations);
    IF violations > 1 OR violations = 1 AND own.violated_at > moment - interval '10 minutes' THEN
      own.throttled_until := moment + interval '10 minutes';
    END IF;
    IF violations > 0 THEN
      own.violated_at := moment;
    END IF;
  END IF;
  throttled := coalesce(own.throttled_until > moment, false);
  IF throttled THEN
    own_size := least(own_size, buckets[4][1]);
    own_rate := least(own_rate, buckets[4][2]);
  END IF;

  -- Another process may have locked the bucket first with a later moment: refilled_at never decreases, so
  -- that no time is refilled twice. A request that costs more than the size of the bucket needs a full bucket
  -- and overdraws it.
  own.tokens := least(own_size,
    own.tokens + own_rate * greatest(0, extract(epoch FROM moment - own.refilled_at)));
  own.refilled_at := greatest(own.refilled_at, moment);
  allowed := CASE WHEN cost < 0 THEN requests
                  WHEN own.tokens + epsilon < least(cost, own_size) THEN 0
                  ELSE least(requests, greatest(1, floor((own.tokens + epsilon) / cost))) END;
  IF shared.id IS NOT NULL THEN
    elapsed := greatest(0, extract(epoch FROM moment - shared.refilled_at));
    shared.tokens := least(shared_size, shared.tokens + shared_rate * elapsed);
    shared.total_tokens := least(total_size, shared.total_tokens + total_rate * elapsed);
    shared.refilled_at := greatest(shared.refilled_at, moment);
    allowed := CASE WHEN cost < 0 THEN requests
                    WHEN shared.total_tokens + epsilon < least(cost, total_size) THEN 0
                    ELSE least(allowed, greatest(1, floor((shared.total_tokens + epsilon) / cost))) END;
    IF calendar THEN
      allowed := CASE WHEN cost < 0 THEN requests
                      WHEN shared.tokens + epsilon < least(cost, shared_size) THEN 0
                      ELSE least(allowed, greatest(1, floor((shared.tokens + epsilon) / cost))) END;
      shared.tokens := shared.tokens - allowed * cost;
      shared_wait := greatest(0, least(cost, shared_size) - shared.tokens - epsilon) / shared_rate;
    END IF;
    shared.total_tokens := shared.total_tokens - allowed * cost;
    total_wait := greatest(0, least(cost, total_size) - shared.total_tokens - epsilon) / total_rate;
  END IF;
  own.tokens := own.tokens - allowed * cost;
  own_wait := greatest(0, least(cost, own_size) - own.tokens - epsilon) / own_rate;
  -- Retry-After is in whole seconds. A request in the first 250 ms may have been on its way when the 429 was
  -- sent.
  IF allowed < requests AND cardinality(own.retry_after_windows) < 10 THEN
    own.retry_after_windows := own.retry_after_windows || array_fill(
      tstzrange(moment + interval '250 milliseconds',
                moment + greatest(1, ceil(greatest(own_wait, shared_wait, total_wait))) *
                  interval '1 second'),
      ARRAY[least(requests - allowed, 10 - cardinality(own.retry_after_windows))]);
  END IF;
END $$;

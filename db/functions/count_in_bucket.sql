-- Takes one token from a bucket with a size and a refill rate per second. `wait` is 0, or the seconds until
-- there is a token, in which case none is taken. `tokens` is what is left.
CREATE OR REPLACE FUNCTION count_in_bucket(
  bucket text, size float8, rate float8, OUT wait float8, OUT tokens float8
) LANGUAGE plpgsql AS $$
DECLARE
  locked rate_limit_buckets := lock_rate_limit_bucket(bucket);
  moment CONSTANT timestamptz := clock_timestamp();
  held CONSTANT float8 :=
    least(size, locked.tokens + rate * greatest(0, extract(epoch FROM moment - locked.refilled_at)));
  -- Absorbs rounding errors.
  missing CONSTANT float8 := greatest(0, 1 - 1e-6 - held);
BEGIN
  wait := missing / rate;
  tokens := CASE WHEN missing = 0 THEN held - 1 ELSE held END;
  UPDATE rate_limit_buckets b
  SET tokens = count_in_bucket.tokens, refilled_at = greatest(b.refilled_at, moment)
  WHERE b.id = bucket;
END $$;

-- Takes one token from a bucket with a size and a refill rate per second. Returns 0, or the seconds until
-- there is a token, in which case none is taken.
CREATE OR REPLACE FUNCTION take_from_bucket(bucket text, size float8, rate float8) RETURNS float8
LANGUAGE sql AS $$
  SELECT wait FROM count_in_bucket(bucket, size, rate)
$$;

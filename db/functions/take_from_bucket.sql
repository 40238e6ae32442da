-- Takes one token from a bucket of a size, refilled at a rate per second. Returns 0, or without taking
-- anything the seconds until there is one.
CREATE OR REPLACE FUNCTION take_from_bucket(bucket text, size float8, rate float8) RETURNS float8
LANGUAGE sql AS $$
  SELECT wait FROM count_in_bucket(bucket, size, rate)
$$;

-- Returns the seconds since a time; 0 for null and for future times.
CREATE OR REPLACE FUNCTION seconds_since(since timestamptz) RETURNS float8 LANGUAGE sql VOLATILE PARALLEL SAFE
  AS $$
  SELECT greatest(0, coalesce(extract(epoch FROM clock_timestamp() - since), 0))::float8
$$;

-- True if an object has metadata with these values, in the form of the metadata indexes; null for any object.
CREATE OR REPLACE FUNCTION has_metadata(metadata jsonb, wanted jsonb) RETURNS boolean LANGUAGE sql IMMUTABLE
  PARALLEL SAFE AS $$
  SELECT wanted IS NULL OR (metadata @> wanted AND metadata <> '{}')
$$;

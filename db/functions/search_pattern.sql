-- The pattern of LIKE that finds a word anywhere in a search_text, whatever its spelling. % and _
-- are ordinary characters.
CREATE OR REPLACE FUNCTION search_pattern(word text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT '%' || regexp_replace(search_text(word), '([\\%_])', '\\\1', 'g') || '%'
$$;

-- Returns the LIKE pattern that finds a word anywhere in a searched text, whatever its spelling. % and _ are
-- ordinary characters. Null for null.
CREATE OR REPLACE FUNCTION search_pattern(word text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate('%' || regexp_replace(search_text(word), '([\\%_])', '\\\1', 'g') || '%', '''-', '')
$$;

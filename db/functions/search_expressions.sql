-- Regular expressions that find words anywhere in a searched text, whatever their spelling. `words`: of each
-- the ways in which it may be written, on a line each.
CREATE OR REPLACE FUNCTION search_expressions(words text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL
  SAFE AS $$
  SELECT ARRAY(SELECT replace(
      regexp_replace(translate(search_text(word), '''-', ''), '([][\\^$.|?*+(){}])', '\\\1', 'g'), E'\n', '|')
    FROM unnest(words) word)
$$;

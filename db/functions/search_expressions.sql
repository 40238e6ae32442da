-- Returns regular expressions that find words anywhere in a searched text, whatever their spelling. `words`:
-- the possible spellings of each word, one per line.
CREATE OR REPLACE FUNCTION search_expressions(words text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL
  SAFE AS $$
  SELECT ARRAY(SELECT replace(
      regexp_replace(translate(search_text(word), '''-', ''), '([][\\^$.|?*+(){}])', '\\\1', 'g'), E'\n', '|')
    FROM unnest(words) word)
$$;

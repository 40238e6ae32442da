-- True if the searched text of a room contains words, in the form of searchWords in db/search.ts: up to three
-- spellings of the longest word, which the index finds, then the others, which are searched for in the
-- results. When inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION room_contains(r rooms,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (room_text(r) LIKE search_pattern(words[1]) OR room_text(r) LIKE search_pattern(words[2])
      OR room_text(r) LIKE search_pattern(words[3])) AND room_text(r) ~ ALL (search_expressions(words[4:]))
$$;

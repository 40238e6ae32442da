-- True if the text in which a room is searched contains words, as wordsOf of db/search.ts gives them: up to
-- three spellings of the longest one, which the index finds, then the others, which are looked for in what
-- that finds. Inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION room_contains(r rooms,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (room_text(r) LIKE search_pattern(words[1]) OR room_text(r) LIKE search_pattern(words[2])
      OR room_text(r) LIKE search_pattern(words[3])) AND room_text(r) ~ ALL (search_expressions(words[4:]))
$$;

-- True if the searched text of a member contains words, in the form of searchWords in db/search.ts: up to
-- three spellings of the longest word, which the index finds, then the others, which are searched for in the
-- results. When inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION member_contains(m members,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (member_text(m) LIKE search_pattern(words[1]) OR member_text(m) LIKE search_pattern(words[2])
      OR member_text(m) LIKE search_pattern(words[3]))
        AND member_text(m) ~ ALL (search_expressions(words[4:]))
$$;

-- True if the text in which a member is searched contains words, as wordsOf of db/search.ts gives them: up to
-- three spellings of the longest one, which the index finds, then the others, which are looked for in what
-- that finds. Inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION member_contains(m members,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (member_text(m) LIKE search_pattern(words[1]) OR member_text(m) LIKE search_pattern(words[2])
      OR member_text(m) LIKE search_pattern(words[3]))
        AND member_text(m) ~ ALL (search_expressions(words[4:]))
$$;

-- True if the searched text of a booking's guest contains words, in the form of searchWords in db/search.ts:
-- up to three spellings of the longest word, which the index finds, then the others, which are searched for
-- in the results. When inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION guest_contains(b bookings,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (guest_text(b) LIKE search_pattern(words[1]) OR guest_text(b) LIKE search_pattern(words[2])
      OR guest_text(b) LIKE search_pattern(words[3])) AND guest_text(b) ~ ALL (search_expressions(words[4:]))
$$;

-- True if the text in which the guest of a booking is searched contains words, as wordsOf of db/search.ts
-- gives them: up to three spellings of the longest one, which the index finds, then the others, which are
-- looked for in what that finds. Inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION guest_contains(b bookings,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (guest_text(b) LIKE search_pattern(words[1]) OR guest_text(b) LIKE search_pattern(words[2])
      OR guest_text(b) LIKE search_pattern(words[3])) AND guest_text(b) ~ ALL (search_expressions(words[4:]))
$$;

-- True if the text in which the reference of a payment is searched contains words, as wordsOf of db/search.ts
-- gives them: up to three spellings of the longest one, which the index finds, then the others, which are
-- looked for in what that finds. Inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION payment_reference_contains(p payments,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (payment_reference_text(p) LIKE search_pattern(words[1])
    OR payment_reference_text(p) LIKE search_pattern(words[2])
      OR payment_reference_text(p) LIKE search_pattern(words[3]))
        AND payment_reference_text(p) ~ ALL (search_expressions(words[4:]))
    AND p.reference IS NOT NULL
$$;

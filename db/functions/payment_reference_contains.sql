-- True if the searched text of a payment's reference contains words, in the form of searchWords in
-- db/search.ts: up to three spellings of the longest word, which the index finds, then the others, which are
-- searched for in the results. When inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION payment_reference_contains(p payments,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (payment_reference_text(p) LIKE search_pattern(words[1])
    OR payment_reference_text(p) LIKE search_pattern(words[2])
      OR payment_reference_text(p) LIKE search_pattern(words[3]))
        AND payment_reference_text(p) ~ ALL (search_expressions(words[4:]))
    AND p.reference IS NOT NULL
$$;

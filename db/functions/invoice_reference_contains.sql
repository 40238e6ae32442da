-- True if the searched text of an invoice's reference contains words, in the form of searchWords in
-- db/search.ts: up to three spellings of the longest word, which the index finds, then the others, which are
-- searched for in the results. When inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION invoice_reference_contains(i invoices,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (invoice_reference_text(i) LIKE search_pattern(words[1])
    OR invoice_reference_text(i) LIKE search_pattern(words[2])
      OR invoice_reference_text(i) LIKE search_pattern(words[3]))
        AND invoice_reference_text(i) ~ ALL (search_expressions(words[4:]))
    AND i.accounting_reference <> 'Holdfast #' || i.number::text
$$;

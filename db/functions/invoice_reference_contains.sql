-- True if the text in which the reference of an invoice is searched contains words, as wordsOf of
-- db/search.ts gives them: up to three spellings of the longest one, which the index finds, then the others,
-- which are looked for in what that finds. Inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION invoice_reference_contains(i invoices,
  words text[]) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT (invoice_reference_text(i) LIKE search_pattern(words[1])
    OR invoice_reference_text(i) LIKE search_pattern(words[2])
      OR invoice_reference_text(i) LIKE search_pattern(words[3]))
        AND invoice_reference_text(i) ~ ALL (search_expressions(words[4:]))
    AND i.accounting_reference <> 'Holdfast #' || i.number::text
$$;

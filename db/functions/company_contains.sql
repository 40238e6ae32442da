-- True if the searched text of a company contains words, in the form of searchWords in db/search.ts: up to
-- three spellings of the longest word, which the index finds, then the others, which are searched for in the
-- results. When inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION company_contains(c companies,
  words text[]) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (company_text(c) LIKE search_pattern(words[1]) OR company_text(c) LIKE search_pattern(words[2])
      OR company_text(c) LIKE search_pattern(words[3]))
        AND company_text(c) ~ ALL (search_expressions(words[4:]))
$$;

-- True if the text in which a company is searched contains words, as wordsOf of db/search.ts gives them: up
-- to three spellings of the longest one, which the index finds, then the others, which are looked for in what
-- that finds. Inlined, the text is the expression of an index.
CREATE OR REPLACE FUNCTION company_contains(c companies,
  words text[]) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT (company_text(c) LIKE search_pattern(words[1]) OR company_text(c) LIKE search_pattern(words[2])
      OR company_text(c) LIKE search_pattern(words[3]))
        AND company_text(c) ~ ALL (search_expressions(words[4:]))
$$;

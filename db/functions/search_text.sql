-- Returns a text in the form that searches compare: in lower case and without marks on letters. Letters
-- without a plain form are replaced by what is commonly typed (ß ss, ø o, æ ae), and typographic quotes and
-- hyphens by those of a keyboard (docs/rules/workspace.md#search). Indexes use it, so another result needs a
-- migration that rebuilds them.
CREATE OR REPLACE FUNCTION search_text(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(replace(translate(
    regexp_replace(casefold(normalize(written, NFKD) COLLATE pg_unicode_fast),
      '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'),
    'øłđðħŧı‘’ʼ‐–—', 'olddhti''''''---'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

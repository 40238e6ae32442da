-- A text as the searches compare it: without upper case and without marks on letters, letters that
-- have no plain form as they are commonly typed (ß ss, ø o, æ ae), and quotes and hyphens of print as
-- those of a keyboard (docs/rules/workspace.md#search). Indexes are on it: another result needs a
-- migration that builds them again.
CREATE OR REPLACE FUNCTION search_text(written text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT replace(replace(replace(translate(
    regexp_replace(casefold(normalize(written, NFKD) COLLATE pg_unicode_fast),
      '[\u0300-\u036F\u1AB0-\u1AFF\u1DC0-\u1DFF\u20D0-\u20FF\uFE20-\uFE2F]', '', 'g'),
    'øłđðħŧı‘’ʼ‐–—', 'olddhti''''''---'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
$$;

-- Returns the text in which a member is searched, without apostrophes and hyphens.
CREATE OR REPLACE FUNCTION member_text(m members) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(search_text(m.name || ' ' || m.email), '''-', '')
$$;

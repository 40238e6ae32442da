-- Returns the text in which a room is searched, without apostrophes and hyphens.
CREATE OR REPLACE FUNCTION room_text(r rooms) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(search_text(r.name), '''-', '')
$$;

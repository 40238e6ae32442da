-- Returns the texts of a JSON array; null for null.
CREATE OR REPLACE FUNCTION texts_in(list jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
  $$
  SELECT ARRAY(SELECT jsonb_array_elements_text(list))
$$;

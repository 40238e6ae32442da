-- True for a member who may accept the membership or has accepted it.
CREATE OR REPLACE FUNCTION may_accept(m members) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT m.status NOT IN ('invited', 'archived', 'deleted')
$$;

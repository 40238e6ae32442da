-- True for a member who may sign in to the workspace: they have accepted the membership.
CREATE OR REPLACE FUNCTION may_sign_in(m members) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT m.status NOT IN ('invited', 'archived', 'deleted') AND m.accepted_at IS NOT NULL
$$;

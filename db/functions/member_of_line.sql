-- The member that a line of an invoice with a description of domain/members/plans.ts is for. Nothing else
-- of the text has a meaning.
CREATE OR REPLACE FUNCTION member_of_line(description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
  SELECT substring(description FROM '\((mem_\w+)\)$')
$$;

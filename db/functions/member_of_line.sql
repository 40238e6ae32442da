-- Returns the member that an invoice line with a description from domain/members/plans.ts is for. No other
-- part of the text has a meaning.
CREATE OR REPLACE FUNCTION member_of_line(description text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
  SELECT substring(description FROM '\((mem_\w+)\)$')
$$;

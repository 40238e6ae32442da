-- Returns the text in which the reference of a payment is searched, without apostrophes and hyphens.
CREATE OR REPLACE FUNCTION payment_reference_text(p payments) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL
  SAFE AS $$
  SELECT translate(search_text(p.reference), '''-', '')
$$;

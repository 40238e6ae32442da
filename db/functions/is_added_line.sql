-- True for a line that a change added to an invoice and did not take off.
CREATE OR REPLACE FUNCTION is_added_line(l invoice_lines) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$
  SELECT l.net_minor + l.tax_minor > 0
$$;

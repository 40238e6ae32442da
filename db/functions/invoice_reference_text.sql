-- Returns the text in which the reference of an invoice is searched, without apostrophes and hyphens.
CREATE OR REPLACE FUNCTION invoice_reference_text(i invoices) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL
  SAFE AS $$
  SELECT translate(search_text(i.accounting_reference), '''-', '')
$$;

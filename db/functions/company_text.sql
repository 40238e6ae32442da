-- Returns the text in which a company is searched, without apostrophes and hyphens.
CREATE OR REPLACE FUNCTION company_text(c companies) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT translate(search_text(concat_ws(' ', c.name, c.billing_email, c.vat_number)), '''-', '')
$$;

-- True for an issued invoice: it was paid, or its payer owes it, so that it is being collected.
CREATE OR REPLACE FUNCTION is_issued(i invoices) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT i.total_minor > 0 AND (i.status IN ('paid', 'refunded')
    OR i.status IN ('open', 'authorised') AND EXISTS (SELECT FROM collections c WHERE c.invoice_id = i.id))
$$;

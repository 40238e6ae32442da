-- True for a payment that was charged to a card on file.
CREATE OR REPLACE FUNCTION paid_by_autopay(p payments) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT p.kind = 'charge' AND p.status <> 'failed'
    AND (SELECT count(*) = 1 AND bool_and(c.payment_method_id IS NOT NULL)
         FROM checkouts c WHERE c.invoice_id = p.invoice_id AND c.state = 'paid')
$$;

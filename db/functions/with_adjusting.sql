-- Returns an invoice with all invoices that adjust it, and those that adjust these. They have the same payer.
CREATE OR REPLACE FUNCTION with_adjusting(invoice text) RETURNS TABLE (id text) LANGUAGE sql STABLE AS $$
  WITH RECURSIVE own AS (
    SELECT i.id FROM invoices i WHERE i.id = invoice
    UNION SELECT i.id FROM own JOIN invoices i ON i.adjusts = own.id
  ) SELECT own.id FROM own
$$;

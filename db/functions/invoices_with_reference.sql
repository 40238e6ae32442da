-- Returns the invoices of a workspace with words in their reference, such as a purchase order, or in the
-- reference of one of their payments.
CREATE OR REPLACE FUNCTION invoices_with_reference(workspace text, words text[]) RETURNS TABLE (id text)
  LANGUAGE sql STABLE AS $$
  SELECT i.id FROM invoices i WHERE i.workspace_id = workspace AND invoice_reference_contains(i, words)
  UNION ALL
  SELECT p.invoice_id FROM payments p WHERE p.workspace_id = workspace
    AND payment_reference_contains(p, words)
$$;

-- Returns the invoices of a workspace that match a search, an `InvoiceSearch` of
-- db/queries/invoices/search.ts: by one of its ids, or by reference, number, booking or payer. Each part uses
-- its own index, and the results are joined, so that a word that thousands of payers have does not require
-- searching them for each invoice.
CREATE OR REPLACE FUNCTION invoices_found(workspace text,
  search jsonb) RETURNS TABLE (id text) LANGUAGE sql STABLE AS $$
  SELECT i.id FROM invoices i WHERE i.id = search ->> 'invoice_id'
  UNION ALL
  SELECT i.id FROM invoices i WHERE i.booking_id = search ->> 'booking_id'
  UNION ALL
  SELECT i.id FROM invoices i WHERE i.workspace_id = workspace AND i.member_id = search ->> 'member_id'
  UNION ALL
  SELECT p.invoice_id FROM payments p WHERE p.id = search ->> 'payment_id'
  UNION ALL
  SELECT p.invoice_id FROM payments p WHERE p.processor_payment_intent_id = search ->> 'intent_id'
  UNION ALL
  SELECT p.invoice_id FROM payments p WHERE p.processor_refund_id = search ->> 'refund_id'
  UNION ALL
  SELECT r.id FROM invoices_with_reference(workspace, texts_in(search -> 'reference_words')) r
  UNION ALL
  SELECT n.id FROM invoices_numbered(workspace, search -> 'typed') n
  UNION ALL
  SELECT i.id FROM bookings b JOIN invoices i ON i.booking_id = b.id
  WHERE b.workspace_id = workspace AND b.reference BETWEEN search ->> 'first_reference'
    AND search ->> 'last_reference'
  UNION ALL
  SELECT i.id FROM members m JOIN invoices i ON i.member_id = m.id
  WHERE m.workspace_id = workspace AND member_contains(m, texts_in(search -> 'payer_words'))
  UNION ALL
  SELECT i.id FROM companies c JOIN invoices i ON i.company_id = c.id
  WHERE c.workspace_id = workspace AND company_contains(c, texts_in(search -> 'payer_words'))
  UNION ALL
  SELECT i.id FROM bookings b JOIN invoices i ON i.booking_id = b.id
  WHERE b.workspace_id = workspace AND guest_contains(b, texts_in(search -> 'payer_words'))
$$;

-- Returns the payment or refund that an entry of a payout is, or that it is about, with its invoice and
-- booking; no row for business that is not of this service. A refund is found by its id, everything else by
-- the payment intent.
CREATE OR REPLACE FUNCTION about_payout_entry(e payout_entries) RETURNS TABLE (
  payment_id text, invoice_id text, invoice_number text, booking_id text, booking_reference text
) LANGUAGE sql STABLE AS $$
  SELECT p.id, i.id, i.document_number, b.id, b.reference
  FROM (
    SELECT * FROM payments
    WHERE processor_payment_intent_id = e.payment_intent_id AND kind <> 'refund' AND e.refund_id IS NULL
    UNION ALL
    SELECT * FROM payments WHERE processor_refund_id = e.refund_id) p
  LEFT JOIN invoices i ON i.id = p.invoice_id
  LEFT JOIN bookings b ON b.id = coalesce(p.booking_id, i.booking_id)
  WHERE p.workspace_id = e.workspace_id
$$;

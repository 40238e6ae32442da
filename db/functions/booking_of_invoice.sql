-- Returns the booking of an invoice, or of the invoice that it adjusts: the guest of that booking pays both.
-- Null if there is none.
CREATE OR REPLACE FUNCTION booking_of_invoice(invoice text) RETURNS text LANGUAGE plpgsql STABLE STRICT AS $$
BEGIN
  RETURN (
    WITH RECURSIVE adjusted AS (
      SELECT i.booking_id, i.adjusts FROM invoices i WHERE i.id = invoice
      UNION ALL
      SELECT o.booking_id, o.adjusts FROM adjusted a JOIN invoices o ON o.id = a.adjusts
      WHERE a.booking_id IS NULL)
    SELECT booking_id FROM adjusted WHERE booking_id IS NOT NULL);
END $$;

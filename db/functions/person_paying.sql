-- Returns the member or guest who pays an invoice, as documents name them: `{name, billing}` with the company
-- for which a guest books. Null if a company pays, and after an erasure.
CREATE OR REPLACE FUNCTION person_paying(invoice text) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT jsonb_build_object('name', coalesce(m.name, b.guest_name), 'billing', b.guest_billing)
    FROM invoices i LEFT JOIN members m ON m.id = i.member_id
    LEFT JOIN bookings b ON b.id = coalesce(i.booking_id, booking_of_invoice(i.adjusts))
    WHERE i.id = invoice AND i.company_id IS NULL AND coalesce(m.name, b.guest_name) IS NOT NULL);
END $$;

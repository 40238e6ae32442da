-- Returns the payer of an invoice, with their number in the accounting system: a company, a member, or the
-- guest of its booking, or of the booking of the invoice that it adjusts. A guest's number is derived from
-- the SHA-256 of their canonical address, so it is the same for all their bookings.
CREATE OR REPLACE FUNCTION payer_of_invoice(invoice text)
  RETURNS TABLE (number text, name text, email text, billing jsonb, locale text) LANGUAGE sql STABLE AS $$
  SELECT coalesce(c.id::text, m.id,
    'guest_' || left(encode(sha256(convert_to(guest_key(b), 'UTF8')), 'hex'), 26), 'guest_erased'),
    coalesce(CASE WHEN c.id IS NOT NULL THEN c.name WHEN m.id IS NOT NULL THEN m.name ELSE b.guest_name END,
      'A former customer'),
    CASE WHEN c.id IS NOT NULL THEN c.billing_email WHEN m.id IS NOT NULL THEN m.email ELSE b.guest_email END,
    b.guest_billing, CASE WHEN c.id IS NULL THEN coalesce(m.locale, b.locale) END
  FROM invoices i LEFT JOIN companies c ON c.id = i.company_id LEFT JOIN members m ON m.id = i.member_id
    LEFT JOIN bookings b ON b.id = coalesce(i.booking_id, booking_of_invoice(i.adjusts))
  WHERE i.id = invoice
$$;

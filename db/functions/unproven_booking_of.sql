-- Returns the unproven booking that a mail is about, directly or through its invoice; null for other mail and
-- for mail to staff.
CREATE OR REPLACE FUNCTION unproven_booking_of(mail mails) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT b.id FROM bookings b
  WHERE b.id = coalesce(mail.booking_id, (SELECT i.booking_id FROM invoices i
    WHERE i.id = mail.invoice_id), mail.about)
    AND b.workspace_id = mail.workspace_id AND is_unproven(b) AND NOT is_own_mail(mail.kind)
$$;

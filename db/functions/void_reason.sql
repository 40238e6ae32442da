-- Returns the reason that a person gave for voiding an invoice, or for cancelling its booking, which voided
-- it; or null.
CREATE OR REPLACE FUNCTION void_reason(i invoices) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(audited_reason(i.workspace_id, 'invoice.voided', i.id, i.voided_at),
    audited_reason(i.workspace_id, 'booking.cancelled', i.booking_id, i.voided_at))
$$;

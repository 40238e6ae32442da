-- Why an invoice was voided, or its booking cancelled, which voided it, as far as a person said.
CREATE OR REPLACE FUNCTION void_reason(i invoices) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT coalesce(audited_reason(i.workspace_id, 'invoice.voided', i.id, i.voided_at),
    audited_reason(i.workspace_id, 'booking.cancelled', i.booking_id, i.voided_at))
$$;

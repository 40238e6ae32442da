-- Returns the amount paid towards an invoice. While it is open, a refunded amount must be paid again; once it
-- is paid, refunds do not change the amount. What was refunded because it exceeded the total never counts.
CREATE OR REPLACE FUNCTION paid_minor(i invoices) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(p.amount_minor - greatest(p.excess_minor,
    CASE WHEN i.status IN ('open', 'authorised') THEN p.refunded_minor ELSE 0 END)), 0)::bigint
  FROM payments p WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed'
$$;

-- Returns how much of a received payment moved in a period: the payment itself, its refunds, what banks
-- returned of them, and what banks moved for disputes. Minor units.
CREATE OR REPLACE FUNCTION moved_minor(p payments, starts timestamptz,
  ends timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT coalesce(sum(m.amount_minor), 0)::bigint FROM (
    SELECT moved_at(p) AS at, p.amount_minor WHERE p.status <> 'failed'
    UNION ALL
    SELECT back.at, back.amount_minor FROM payments r CROSS JOIN LATERAL (VALUES
      (CASE r.status WHEN 'succeeded' THEN r.settled_at WHEN 'failed'
        THEN r.succeeded_at END, -r.amount_minor),
      (CASE WHEN r.status = 'failed' AND r.succeeded_at IS NOT NULL THEN r.settled_at END, r.amount_minor)
    ) back (at, amount_minor) WHERE r.refund_of = p.id
    UNION ALL
    SELECT m.created_at, m.amount_minor FROM dispute_movements m WHERE m.payment_id = p.id
  ) m WHERE m.at >= starts AND m.at < ends
$$;

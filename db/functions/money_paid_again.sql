-- Returns the payments of an invoice that were refunded while it was open, so that it had to be paid again,
-- and these refunds, below zero. What `money_of_document` returns of a payment is left out.
CREATE OR REPLACE FUNCTION money_paid_again(i invoices) RETURNS TABLE (amount_minor bigint, at timestamptz)
  LANGUAGE sql STABLE AS $$
  WITH again AS (
    -- Other payments were too late or above the total: that is what they have as their excess.
    SELECT p.id, p.excess_minor, moved_at(p) AS at,
      CASE WHEN i.status IN ('paid', 'refunded') THEN p.excess_minor ELSE p.amount_minor END AS while_open
    FROM payments p
    WHERE p.invoice_id = i.id AND p.kind <> 'refund' AND p.status <> 'failed' AND p.refusal IS NULL
      AND NOT EXISTS (SELECT FROM payments r WHERE r.refund_of = p.id AND r.purpose = 'excess')
  )
  SELECT excess_minor, at FROM again WHERE excess_minor > 0
  UNION ALL
  SELECT least(while_open, so_far - amount_minor) - least(while_open, so_far), settled_at
  FROM (
    SELECT r.amount_minor, r.settled_at, again.while_open,
      sum(r.amount_minor) OVER (PARTITION BY r.refund_of ORDER BY r.created_at, r.id)::bigint AS so_far
    FROM payments r JOIN again ON again.id = r.refund_of
    WHERE r.kind = 'refund' AND r.status = 'succeeded'
  ) refund
  WHERE so_far - amount_minor < while_open
$$;

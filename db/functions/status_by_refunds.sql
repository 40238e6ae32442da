-- Returns the status of a received payment according to its successful refunds.
CREATE OR REPLACE FUNCTION status_by_refunds(p payments) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE WHEN coalesce(sum(r.amount_minor), 0) = 0 THEN 'succeeded'
    WHEN sum(r.amount_minor) = p.amount_minor THEN 'refunded' ELSE 'partially_refunded' END
  FROM payments r WHERE r.refund_of = p.id AND r.status = 'succeeded'
$$;

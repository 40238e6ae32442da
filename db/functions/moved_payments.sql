-- Returns the received payments that a reconciliation of a workspace compares: those whose money moved in its
-- period, at the processor or here, and those of its charges and disputes. moved_at is written out, as in the
-- indexes.
CREATE OR REPLACE FUNCTION moved_payments(run text, workspace text, starts timestamptz, ends timestamptz)
  RETURNS SETOF payments LANGUAGE sql STABLE AS $$
  SELECT p.* FROM payments p
  WHERE p.workspace_id = workspace AND p.kind <> 'refund'
    AND coalesce(p.settled_at, p.paid_at, p.created_at) >= starts
    AND coalesce(p.settled_at, p.paid_at, p.created_at) < ends
  UNION
  SELECT p.* FROM payments r JOIN payments p ON p.id = r.refund_of
  WHERE r.workspace_id = workspace AND r.kind = 'refund'
    AND coalesce(r.settled_at, r.paid_at, r.created_at) >= starts
    AND coalesce(r.settled_at, r.paid_at, r.created_at) < ends
  UNION
  SELECT p.* FROM payments r JOIN payments p ON p.id = r.refund_of
  WHERE r.workspace_id = workspace AND r.kind = 'refund' AND r.status = 'failed'
    AND r.succeeded_at >= starts AND r.succeeded_at < ends
  UNION
  SELECT p.* FROM disputes d JOIN dispute_movements m
    ON m.dispute_id = d.id AND m.created_at >= starts AND m.created_at < ends
  JOIN payments p ON p.id = m.payment_id WHERE d.workspace_id = workspace
  UNION
  SELECT p.* FROM reconciliation_charges c CROSS JOIN LATERAL (
    SELECT * FROM payments WHERE processor_payment_intent_id = c.payment_intent_id
      AND kind <> 'refund' OFFSET 0) p
  WHERE c.reconciliation_id = run AND p.workspace_id = workspace AND c.created_at < ends
  UNION
  SELECT p.* FROM reconciliation_disputes d CROSS JOIN LATERAL (
    SELECT * FROM payments WHERE processor_payment_intent_id = d.payment_intent_id
      AND kind <> 'refund' OFFSET 0) p
  WHERE d.reconciliation_id = run AND p.workspace_id = workspace
$$;

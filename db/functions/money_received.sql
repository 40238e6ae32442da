-- Returns what was received for a booking, in time or late, and its outcome. A refund that failed counts as
-- failed unless another one replaced it. Minor units.
CREATE OR REPLACE FUNCTION money_received(booking text,
  is_late boolean) RETURNS TABLE (money jsonb) LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'received_minor', coalesce(sum(p.amount_minor), 0)::bigint,
    'refunded_minor', coalesce(sum(back.refunded_minor), 0)::bigint,
    'refunding_minor', coalesce(sum(back.refunding_minor), 0)::bigint,
    'by_hand_minor', coalesce(sum(back.by_hand_minor), 0)::bigint,
    'failed_minor', coalesce(sum(back.failed_minor), 0)::bigint,
    'disputed_minor', coalesce(sum(p.disputed_minor), 0)::bigint)
  FROM payments p CROSS JOIN LATERAL (
    SELECT
      coalesce(sum(r.amount_minor) FILTER (WHERE r.status = 'succeeded'
        AND r.account_id IS NOT NULL), 0) AS refunded_minor,
      coalesce(sum(r.amount_minor) FILTER (WHERE r.status = 'pending'
        AND r.account_id IS NOT NULL), 0) AS refunding_minor,
      coalesce(sum(r.amount_minor) FILTER (WHERE r.status <> 'failed'
        AND r.account_id IS NULL), 0) AS by_hand_minor,
      coalesce(sum(r.amount_minor) FILTER (WHERE r.status = 'failed' AND NOT EXISTS (
        SELECT FROM payments again WHERE again.refund_of = r.refund_of AND again.created_at > r.created_at
          AND again.status <> 'failed')), 0) AS failed_minor
    FROM payments r WHERE r.refund_of = p.id) back
  WHERE p.booking_id = booking AND p.kind <> 'refund' AND p.status <> 'failed'
    AND (p.refusal IS NOT NULL) = is_late
$$;

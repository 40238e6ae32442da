-- Returns the members for whom each payer of a workspace pays: billed, and active on the first day of the
-- period, even if a late job finds them archived since. Members who joined or ended a trial after the first
-- day are not included; a payer's first period starts on the anchor. The tier is that at the start of the
-- period: a later upgrade is charged separately. `of_companies` and `of_members`: the payers; for each one,
-- either value is null. `begins` and `days_after`: when their periods begin, and when their first days end.
CREATE OR REPLACE FUNCTION paid_members(
  workspace text, of_companies uuid[], of_members text[], begins timestamptz[], days_after timestamptz[]
) RETURNS TABLE (payer text, id text, joined_at timestamptz, tier text) LANGUAGE sql STABLE AS $$
  WITH payers AS (
    SELECT * FROM unnest(of_companies, of_members, begins, days_after) AS p (company_id, member_id, begins_at,
      day_after)
  ), paid AS (
    SELECT p.*, m.id AS paid_id FROM payers p JOIN members m ON m.workspace_id = workspace
      AND m.company_id = p.company_id
    UNION ALL
    SELECT p.*, m.id FROM payers p
    JOIN members m ON m.workspace_id = workspace AND m.id = p.member_id AND m.company_id IS NULL
  )
  SELECT coalesce(p.company_id::text, p.member_id), m.id, m.joined_at, coalesce(
    (SELECT t.from_tier FROM tier_changes t
     WHERE t.member_id = m.id AND t.created_at >= p.begins_at
     ORDER BY t.created_at, t.id LIMIT 1),
    CASE WHEN m.pending_tier_at <= p.begins_at THEN m.pending_tier ELSE m.tier END)
  FROM paid p JOIN members m ON m.id = p.paid_id
  WHERE m.billed
    AND (m.status = 'active' OR (m.status = 'archived' AND m.archived_at >= p.day_after)
      OR (m.status = 'trialing' AND m.trial_ends_at <= p.begins_at))
    AND m.joined_at < p.day_after
    AND (m.trial_ends_at IS NULL OR m.trial_ends_at < p.day_after)
$$;

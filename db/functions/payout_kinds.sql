-- Returns the sums of the entries of a payout by kind, as `KindTotals` of domain/reports/payouts.ts.
CREATE OR REPLACE FUNCTION payout_kinds(payout text) RETURNS TABLE (kinds json) LANGUAGE sql STABLE AS $$
  SELECT coalesce(json_agg(k), '[]') FROM (
    SELECT e.kind, count(*)::int AS count, sum(e.gross_minor)::bigint AS gross_minor,
      sum(e.fee_minor)::bigint AS fee_minor, sum(e.net_minor)::bigint AS net_minor
    FROM payout_entries e WHERE e.payout_id = payout GROUP BY e.kind) k
$$;

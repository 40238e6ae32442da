-- Returns since when facts about a workspace's accounts may be missing, even if no worker has noticed it yet;
-- null if none are.
CREATE OR REPLACE FUNCTION recovering_since(workspace text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT coalesce((SELECT min(r.recovering_since) FROM account_reads r
    WHERE r.workspace_id = workspace), lost_since())
$$;

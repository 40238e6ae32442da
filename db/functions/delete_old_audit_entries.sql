-- Deletes some of the oldest entries of the audit log, none younger than three years
-- (docs/security.md#retention). The service cannot delete entries in any other way
-- (docs/guides/install.md#database-roles), so this function has the rights of its owner. The newest link of a
-- chain without an entry stays, because the verification begins with it. Returns how many entries it deleted.
CREATE OR REPLACE FUNCTION delete_old_audit_entries(before timestamptz, at_most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  workspaces text[];
  deleted integer;
BEGIN
  WITH gone AS (
    DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log ORDER BY id LIMIT at_most)
      AND at < least(before, now() - interval '1095 days')
    RETURNING workspace_id
  )
  SELECT array_agg(DISTINCT workspace_id), count(*) INTO workspaces, deleted FROM gone;
  DELETE FROM audit_links l WHERE l.workspace_id = ANY (workspaces) AND l.position < (
    SELECT coalesce(
      (SELECT min(kept.position) - 1 FROM audit_links kept JOIN audit_log a ON a.id = kept.entry
       WHERE kept.workspace_id = l.workspace_id),
      (SELECT max(last.position) FROM audit_links last WHERE last.workspace_id = l.workspace_id)));
  RETURN deleted;
END $$;

-- Deletes some of the oldest entries of the audit log, none younger than three years (docs/operations.md#retention). The
-- service cannot delete entries in any other way (docs/operations.md#database-roles), so this function has the rights of
-- its owner. Returns how many it has deleted.
CREATE OR REPLACE FUNCTION delete_old_audit_entries(before timestamptz, at_most integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  deleted integer;
BEGIN
  DELETE FROM audit_log WHERE id IN (SELECT id FROM audit_log ORDER BY id LIMIT at_most)
    AND at < least(before, now() - interval '1095 days');
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END $$;

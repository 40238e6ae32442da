-- Removes personal data from entries of a workspace's audit log: parts of their details become null. The
-- erasure is also recorded in an entry, with the digests of what stays, so that the chain can still be
-- verified. The service cannot change the log in any other way (docs/guides/install.md#database-roles), so
-- this function has the rights of its owner. `entries` are `{id, details}`.
CREATE OR REPLACE FUNCTION erase_audit_entries(workspace text, by jsonb, entries jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  reduced record;
  entry audit_log;
  digests jsonb := '[]';
BEGIN
  FOR reduced IN SELECT * FROM jsonb_to_recordset(entries) AS r (id bigint, details jsonb) ORDER BY id LOOP
    SELECT * INTO entry FROM audit_log WHERE id = reduced.id AND workspace_id = workspace FOR UPDATE;
    IF NOT coalesce(jsonb_typeof(reduced.details) = 'object' AND is_reduction(reduced.details, entry.details),
      false)
      OR entry.action = 'audit_log.erased' THEN
      RAISE EXCEPTION 'An erasure only removes details of an entry.' USING ERRCODE = 'insufficient_privilege';
    END IF;
    entry.details := reduced.details;
    UPDATE audit_log SET details = entry.details WHERE id = entry.id;
    UPDATE audit_links SET salt = NULL WHERE audit_links.entry = reduced.id;
    digests := digests || jsonb_build_object('entry', entry.id, 'digest',
      encode(audit_entry_digest(entry, NULL), 'hex'));
  END LOOP;
  INSERT INTO audit_log (workspace_id, at, action, actor, object, details)
    VALUES (workspace, clock_timestamp(), 'audit_log.erased', by, workspace,
      jsonb_build_object('entries', digests));
END $$;

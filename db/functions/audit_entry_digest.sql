-- Returns the digest of an entry of the audit log. It includes the entry's salt, which an erasure removes, so
-- that it does not reveal an erased entry. It must not change: the stored digests have this form.
CREATE OR REPLACE FUNCTION audit_entry_digest(entry audit_log, salt uuid) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT sha256(convert_to(jsonb_build_array(
    salt, entry.id, entry.workspace_id, extract(epoch FROM entry.at),
    entry.action, entry.actor, entry.object, entry.details)::text, 'UTF8'))
$$;

-- Adds an entry to the chain of its workspace's audit log (docs/rules/credentials.md#audit-log) when its
-- transaction commits. The workspace's lock is taken last and only held for the commit. The service cannot
-- write to the chain, so this function has the rights of its owner. If the service has its own role, entries
-- of other roles are not chained, so that the verification finds them.
CREATE OR REPLACE FUNCTION chain_audit_entry() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  link audit_links;
  previous bytea;
BEGIN
  IF NOT coalesce((SELECT bool_or(g.grantee = to_regrole(quote_ident(session_user)))
                   FROM pg_class c, aclexplode(c.relacl) g
                   WHERE c.oid = 'audit_log'::regclass AND g.privilege_type = 'INSERT'
                     AND g.grantee <> c.relowner), true)
  THEN
    RETURN NULL;
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('audit_log'), hashtext(NEW.workspace_id));
  SELECT l.position + 1, l.hash INTO link.position, previous
    FROM audit_links l WHERE l.workspace_id = NEW.workspace_id ORDER BY l.position DESC LIMIT 1;
  link.workspace_id := NEW.workspace_id;
  link.position := coalesce(link.position, 1);
  link.entry := NEW.id;
  link.stored_at := clock_timestamp();
  link.salt := gen_random_uuid();
  link.digest := audit_entry_digest(NEW, link.salt);
  link.hash := audit_link_hash(coalesce(previous, ''), link);
  INSERT INTO audit_links SELECT link.*;
  RETURN NULL;
END $$;

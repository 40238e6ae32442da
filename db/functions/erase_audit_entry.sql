-- Removes personal data from an entry of the audit log: parts of its details become null. The service cannot change the
-- log in any other way (docs/operations.md#database-roles), so this function has the rights of its owner.
CREATE OR REPLACE FUNCTION erase_audit_entry(entry bigint, reduced jsonb) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  original jsonb;
BEGIN
  SELECT details INTO original FROM audit_log WHERE id = entry FOR UPDATE;
  IF NOT coalesce(jsonb_typeof(reduced) = 'object' AND is_reduction(reduced, original), false) THEN
    RAISE EXCEPTION 'An erasure only removes details of an entry.' USING ERRCODE = 'insufficient_privilege';
  END IF;
  UPDATE audit_log SET details = reduced WHERE id = entry;
END $$;

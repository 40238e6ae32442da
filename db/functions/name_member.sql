-- Stores with a new statement the name of its member, as it is now (docs/rules/billing.md#parties). The row
-- is locked until the transaction ends: an erasure waits for it, or this for the erasure.
CREATE OR REPLACE FUNCTION name_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT jsonb_build_object('name', m.name, 'billing', NULL) INTO NEW.payer
    FROM members m WHERE m.id = NEW.member_id AND m.status <> 'deleted' FOR KEY SHARE;
  RETURN NEW;
END $$;

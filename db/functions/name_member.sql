-- Stores the current name of its member with a new statement (docs/rules/billing.md#parties). The row is
-- locked until the transaction ends, so that either an erasure waits for it, or it waits for the erasure.
CREATE OR REPLACE FUNCTION name_member() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT jsonb_build_object('name', m.name, 'billing', NULL) INTO NEW.payer
    FROM members m WHERE m.id = NEW.member_id AND m.status <> 'deleted' FOR KEY SHARE;
  RETURN NEW;
END $$;

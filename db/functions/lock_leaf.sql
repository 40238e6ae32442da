-- Serializes the claims of a leaf (docs/rules/rooms.md#parts). Two that are inserted at the same moment would
-- each wait for the other under the exclusion constraint, which is a deadlock. Claims of several leaves are
-- inserted in order of leaf.
CREATE OR REPLACE FUNCTION lock_leaf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('part_claims'), hashtext(NEW.leaf_id::text));
  RETURN NEW;
END $$;

-- Claims the leaves of a room together with the room (docs/rules/rooms.md#parts); none for a room that
-- neither has parts nor is a part. The foreign key to the room has already locked it, and linking locks the
-- room against that. So either this claim sees the link, or the link sees this claim.
CREATE OR REPLACE FUNCTION claim_parts() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO part_claims (booking_id, room_id, during, leaf_id)
    SELECT NEW.booking_id, NEW.room_id, NEW.during, l.leaf_id
    FROM room_leaves l WHERE l.room_id = NEW.room_id ORDER BY l.leaf_id;
  RETURN NULL;
END $$;

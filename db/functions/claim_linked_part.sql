-- Claims a leaf for existing claims of a room with which it is linked (docs/rules/rooms.md#parts). Past time
-- needs no claim, and may have been sold twice before.
CREATE OR REPLACE FUNCTION claim_linked_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM FROM rooms WHERE id = NEW.room_id FOR UPDATE;
  INSERT INTO part_claims (booking_id, room_id, during, leaf_id)
    SELECT c.booking_id, c.room_id, c.during, NEW.leaf_id
    FROM slot_claims c WHERE c.room_id = NEW.room_id AND c.during && tstzrange(now(), NULL);
  RETURN NULL;
END $$;

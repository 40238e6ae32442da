-- Returns the claims of other rooms that take a leaf of a room during a range, once for each leaf
-- (docs/rules/rooms.md#parts). `OFFSET 0` prevents the planner from reading claims first, since it does not
-- know how few rooms have leaves.
CREATE OR REPLACE FUNCTION part_claims_of(room uuid, range tstzrange)
  RETURNS TABLE (booking_id text, room_id uuid, during tstzrange) LANGUAGE sql STABLE AS $$
  SELECT c.booking_id, c.room_id, c.during
  FROM room_leaves own, LATERAL (
    SELECT * FROM part_claims p WHERE p.leaf_id = own.leaf_id AND p.during && range OFFSET 0) c
  WHERE own.room_id = room AND c.room_id <> own.room_id
$$;

-- Returns the other rooms that have a leaf in common with a room (docs/rules/rooms.md#parts).
CREATE OR REPLACE FUNCTION rooms_sharing(room uuid) RETURNS TABLE (room_id uuid) LANGUAGE sql STABLE AS $$
  SELECT other.room_id
  FROM room_leaves own JOIN room_leaves other ON other.leaf_id = own.leaf_id AND other.room_id <> own.room_id
  WHERE own.room_id = room
$$;

-- Returns rooms with their leaves. Whoever claims or closes a room locks all of these, in order of id, so
-- that of two that exclude each other, the later one sees the earlier one (docs/rules/rooms.md#parts).
CREATE OR REPLACE FUNCTION with_leaves(rooms uuid[]) RETURNS SETOF uuid LANGUAGE sql STABLE AS $$
  SELECT unnest(rooms) UNION SELECT l.leaf_id FROM room_leaves l WHERE l.room_id = ANY (rooms)
$$;

-- True if a blackout closes a room during a range: its own, or that of a room with a common leaf
-- (docs/rules/rooms.md#parts). `OFFSET 0`: as in part_claims_of.
CREATE OR REPLACE FUNCTION has_blackout(room uuid, range tstzrange) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM blackouts o WHERE o.room_id = room AND o.during && range)
    OR EXISTS (SELECT FROM rooms_sharing(room) closer, LATERAL (
      SELECT FROM blackouts b WHERE b.room_id = closer.room_id AND b.during && range OFFSET 0) o)
$$;

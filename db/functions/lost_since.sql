-- Returns since when this database may lack facts, if it is another one than that of the latest beat and no
-- worker has noticed that yet; otherwise null. So no money moves in the second before a worker notices
-- (docs/internals/recovery.md#paused-payments).
CREATE OR REPLACE FUNCTION lost_since() RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT beat_at FROM recovery WHERE identity <> database_identity()
$$;

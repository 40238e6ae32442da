-- Returns the calendar feeds of members' own bookings and of rooms: those created in the dashboard, and those
-- whose token can still read bookings, with what they currently permit at a client's address.
CREATE OR REPLACE FUNCTION readable_feeds(client inet) RETURNS TABLE (
  id text, workspace_id text, member_id text, room_id uuid, created_at timestamptz, token_role text,
    ip_allowed boolean
) LANGUAGE sql STABLE AS $$
  SELECT f.id, f.workspace_id, f.member_id, f.room_id, f.created_at, c.role, coalesce(c.ip_allowed, true)
  FROM (
    SELECT id, workspace_id, member_id, key_id, token_hash, created_at, NULL::uuid AS room_id FROM feeds
    UNION ALL SELECT id, workspace_id, member_id, key_id, token_hash, created_at, room_id FROM room_feeds
  ) f LEFT JOIN LATERAL find_caller(f.token_hash, client, now()) c ON true
  WHERE f.key_id IS NULL OR 'calendar' = ANY (c.resources) AND 'read' = ANY (c.actions)
    OR 'calendar:read' = ANY (c.resources)
$$;

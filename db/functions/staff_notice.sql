-- Returns the staff notice for an event type: STAFF_NOTICE_EVENTS of domain/workspaces/staff-notices.ts. Null
-- for others.
CREATE OR REPLACE FUNCTION staff_notice(type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE type WHEN 'booking.confirmed' THEN 'created' WHEN 'booking.updated' THEN 'changed'
    WHEN 'booking.cancelled' THEN 'cancelled' END
$$;

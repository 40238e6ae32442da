-- True for a reservation that was not published within a minute, or whose link to be opened has ended
-- (docs/rules/bookings.md#abandoned-reservations).
CREATE OR REPLACE FUNCTION is_abandoned(b bookings) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT b.published_at IS NULL AND coalesce(b.confirm_until, b.created_at + interval '60 seconds') < now()
$$;

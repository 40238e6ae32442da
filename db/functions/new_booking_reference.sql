-- Returns a reference for a booking: seven letters and digits that look and sound different, without vowels,
-- so that no reference is a word. The index decides whether another booking of the workspace already has it
-- (domain/bookings/reference.ts).
CREATE OR REPLACE FUNCTION new_booking_reference() RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT string_agg(substr('BCDFGHJKLMNPQRSTVWXZ23456789', random(1, 28), 1), '') FROM generate_series(1, 7)
$$;

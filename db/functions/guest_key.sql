-- Returns the canonical address of the guest of a booking. When inlined, it is the expression of an index,
-- followed by the booking's start and id.
CREATE OR REPLACE FUNCTION guest_key(b bookings) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(b.guest_address, lower(b.guest_email))
$$;

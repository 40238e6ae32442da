-- The canonical address of the guest of a booking. Inlined, it is the expression of an index, which has the
-- booking's start and id after it.
CREATE OR REPLACE FUNCTION guest_key(b bookings) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(b.guest_address, lower(b.guest_email))
$$;

-- True for a booking of a public guest that was neither confirmed nor paid.
CREATE OR REPLACE FUNCTION is_unproven(b bookings) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT b.source = 'page' AND b.confirmed_at IS NULL
    AND NOT EXISTS (SELECT FROM payments p WHERE p.booking_id = b.id AND p.kind <> 'refund')
$$;

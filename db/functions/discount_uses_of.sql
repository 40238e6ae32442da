-- Returns how many bookings of a payer use a discount code, excluding the given ones. The payer is a member,
-- or a guest given by their canonical address; 0 if both are null.
CREATE OR REPLACE FUNCTION discount_uses_of(discount uuid, member text, address text, except_bookings text[])
  RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT count(*)::integer FROM discount_redemptions u JOIN bookings b ON b.id = u.booking_id
  WHERE u.discount_id = discount AND u.booking_id <> ALL (except_bookings)
    AND (b.member_id = member OR b.member_id IS NULL AND guest_key(b) = address AND b.guest_email IS NOT NULL)
$$;

-- Returns how many bookings use a discount code, excluding the given ones.
CREATE OR REPLACE FUNCTION discount_uses(discount uuid,
  except_bookings text[]) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT count(*)::integer FROM discount_redemptions u WHERE u.discount_id = discount
    AND u.booking_id <> ALL (except_bookings)
$$;

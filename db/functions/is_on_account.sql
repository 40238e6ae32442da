-- True if a payment of a booking was for its invoice on account.
CREATE OR REPLACE FUNCTION is_on_account(b bookings,
  paid payments) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT b.account_days IS NOT NULL AND paid.kind <> 'top_up' AND paid.refusal ->> 'booking_id' IS NULL
$$;

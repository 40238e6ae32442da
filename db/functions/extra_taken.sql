-- Returns the maximum quantity of an extra that is taken at any time during a range, excluding the given
-- bookings. A booking that holds two slots takes the larger quantity.
CREATE OR REPLACE FUNCTION extra_taken(extra uuid, range tstzrange,
  except_bookings text[]) RETURNS integer LANGUAGE sql STABLE AS $$
  SELECT coalesce(max((
    SELECT sum(held.most) FROM (
      SELECT max(o.quantity) AS most FROM extra_claims o
      WHERE o.extra_id = extra AND o.during @> begins.at AND o.booking_id <> ALL (except_bookings)
        GROUP BY o.booking_id) held)),
    0)::integer
  FROM (SELECT greatest(lower(c.during), lower(range)) AS at FROM extra_claims c
        WHERE c.extra_id = extra AND c.during && range AND c.booking_id <> ALL (except_bookings)) begins
$$;

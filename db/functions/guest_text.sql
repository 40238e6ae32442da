-- Returns the text in which the guest of a booking is searched, without apostrophes and hyphens.
CREATE OR REPLACE FUNCTION guest_text(b bookings) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT translate(search_text(b.guest_name || ' ' || b.guest_email
    || coalesce(' ' || (b.guest_billing ->> 'company'), '')
    || coalesce(' ' || (b.guest_billing ->> 'vat_number'), '')
    || coalesce(' ' || (b.guest_billing ->> 'order_reference'), '')), '''-', '')
$$;

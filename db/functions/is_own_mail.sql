-- True for mail to a workspace itself, its owner or its staff: OWN_MAILS of domain/mail/kinds.ts.
CREATE OR REPLACE FUNCTION is_own_mail(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT is_owner_mail(kind) OR kind IN ('staff_booking', 'staff_digest')
$$;

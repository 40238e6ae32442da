-- True for a hold of a workspace's mail that has not ended (docs/rules/mail.md#holds).
CREATE OR REPLACE FUNCTION holds_mail(h mail_holds) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT h.released_at IS NULL AND (h.held_until IS NULL OR h.held_until > now())
$$;

-- True for a person with a passkey.
CREATE OR REPLACE FUNCTION has_passkey(profile text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM passkeys k WHERE k.profile_id = profile)
$$;

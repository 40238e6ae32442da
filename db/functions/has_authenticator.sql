-- True for a person with an authenticator app.
CREATE OR REPLACE FUNCTION has_authenticator(profile text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM second_factors f WHERE f.profile_id = profile AND f.secret IS NOT NULL)
$$;

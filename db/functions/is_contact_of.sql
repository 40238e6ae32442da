-- True if an address belongs to a member who has accepted the membership.
CREATE OR REPLACE FUNCTION is_contact_of(workspace text,
  address text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM members m JOIN profiles p ON p.id = m.profile_id
    WHERE m.workspace_id = workspace AND m.accepted_at IS NOT NULL AND lower(p.email) = address)
$$;

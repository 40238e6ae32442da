-- Returns the bookings of a workspace with words of the guest's or member's name or address, or with a
-- reference in a range. Each part uses its own index, and the results are joined, so that a word that
-- thousands of members have does not require searching them for each booking. The index of a member's
-- bookings only contains published ones.
CREATE OR REPLACE FUNCTION bookings_found(workspace text, words text[], first_reference text,
  last_reference text)
  RETURNS TABLE (id text) LANGUAGE sql STABLE AS $$
  SELECT b.id FROM bookings b WHERE b.workspace_id = workspace AND guest_contains(b, words)
  UNION ALL
  SELECT b.id FROM members m JOIN bookings b ON b.member_id = m.id AND b.published_at IS NOT NULL
  WHERE m.workspace_id = workspace AND member_contains(m, words)
  UNION ALL
  SELECT b.id FROM bookings b
  WHERE b.workspace_id = workspace AND b.reference BETWEEN first_reference AND last_reference
$$;

-- Returns the role with which a token acts (docs/rules/credentials.md#keys-for-other-members): the lowest of
-- its member's role, the role that its issuers had when they created it, and their current roles. front_desk
-- and billing_contact each permit what the other does not, so together they are a member. Null if an issuer
-- is no longer active.
CREATE OR REPLACE FUNCTION acting_role(member_role text, issuer_role text, issuer_ids text[]) RETURNS text
LANGUAGE sql STABLE AS $$
  WITH ranks AS (SELECT ARRAY['member', 'front_desk', 'billing_contact', 'admin', 'owner'] AS ranked),
       roles AS (SELECT array_agg(i.role) || member_role || issuer_role AS held
                 FROM members i WHERE i.id = ANY (issuer_ids)
                 HAVING bool_and(i.status NOT IN ('invited', 'archived', 'deleted')))
  SELECT CASE WHEN held @> ARRAY['front_desk', 'billing_contact'] THEN 'member'
              ELSE ranked[(SELECT min(array_position(ranked, one)) FROM unnest(held) AS one)] END
  FROM ranks, roles
$$;

-- The role that a token acts with (docs/rules/credentials.md#keys-for-other-members): the least of its member's role, the
-- role that its issuers had when they created it, and their roles now. Null if an issuer is no longer active.
CREATE OR REPLACE FUNCTION acting_role(member_role text, issuer_role text, issuer_ids text[]) RETURNS text
LANGUAGE sql STABLE AS $$
  WITH roles AS (SELECT ARRAY['member', 'billing_contact', 'admin', 'owner'] AS ranked)
  SELECT ranked[least(min(array_position(ranked, i.role)), array_position(ranked, member_role),
                      array_position(ranked, issuer_role))]
  FROM roles, members i WHERE i.id = ANY (issuer_ids)
  GROUP BY ranked HAVING bool_and(i.status NOT IN ('invited', 'archived', 'deleted'))
$$;

-- Returns the sign-in name of the workspace through whose provider a member must sign in; null if they do not
-- have to (docs/rules/single-sign-on.md).
CREATE OR REPLACE FUNCTION required_sign_in(m members) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT (SELECT n.name FROM sign_in_names n WHERE n.workspace_id = c.workspace_id AND n.left_at IS NULL)
  FROM sso_connections c
  WHERE c.workspace_id = m.workspace_id AND c.enabled AND m.role <> 'owner'
    AND (c.required = 'everyone' OR (c.required = 'staff' AND m.role <> 'member'))
$$;

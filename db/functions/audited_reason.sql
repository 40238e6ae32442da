-- Returns the reason that a person gave for an audited action, or null. `taken`: when the action took effect.
-- An entry is stored in the same transaction, and is found by its time, since the log has no index by object.
CREATE OR REPLACE FUNCTION audited_reason(workspace text, of_action text, of_object text, taken timestamptz)
  RETURNS text LANGUAGE sql STABLE AS $$
  SELECT nullif(a.details ->> 'reason', '') FROM audit_log a
  WHERE a.workspace_id = workspace AND a.action = of_action AND a.object = of_object
    AND a.at BETWEEN taken - interval '5 minutes' AND taken + interval '5 minutes'
  ORDER BY a.at, a.id LIMIT 1
$$;

-- For processes of the release before, while this one is rolled out.
CREATE OR REPLACE FUNCTION erase_audit_entry(entry bigint, reduced jsonb) RETURNS void LANGUAGE sql AS $$
  SELECT erase_audit_entries(workspace_id, '{"system": "operator"}',
    jsonb_build_array(jsonb_build_object('id', id, 'details', reduced)))
  FROM audit_log WHERE id = entry
$$;

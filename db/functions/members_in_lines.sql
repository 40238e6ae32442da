-- Returns the names of the members of a workspace whose ids are at the end of line descriptions, by id; null
-- if there are none. Their rows are locked until the transaction ends, so that either an erasure waits for
-- it, or it waits for the erasure.
CREATE OR REPLACE FUNCTION members_in_lines(workspace text, lines jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
BEGIN
  RETURN (
    SELECT jsonb_object_agg(m.id, m.name) FROM (
      SELECT id, name FROM members WHERE workspace_id = workspace AND status <> 'deleted' AND id IN (
        SELECT substring(line ->> 'description' FROM '\((mem_\w+)\)$') FROM jsonb_array_elements(lines) line)
      ORDER BY id FOR KEY SHARE) m);
END $$;

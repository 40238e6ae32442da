-- Returns the ordinal of a workspace's next document number. There are no gaps, since the counter's row is
-- locked until the transaction ends (docs/rules/billing.md#numbers-and-references). Raises an exception while
-- numbers may have been assigned that the database does not know
-- (docs/internals/recovery.md#paused-payments).
CREATE OR REPLACE FUNCTION next_document_ordinal(workspace text) RETURNS integer LANGUAGE sql VOLATILE AS $$
  INSERT INTO invoice_counters AS c (workspace_id, last_document_number) SELECT workspace, 1
    WHERE numbers_known(workspace)
  ON CONFLICT (workspace_id) DO UPDATE SET last_document_number = c.last_document_number + 1
  RETURNING last_document_number
$$;

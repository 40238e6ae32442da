-- Returns the invoice of a workspace with a number that somebody typed, in the form of `numberTyped` in
-- db/queries/invoices/search.ts.
CREATE OR REPLACE FUNCTION invoices_numbered(workspace text,
  typed jsonb) RETURNS TABLE (id text) LANGUAGE sql STABLE AS $$
  SELECT i.id FROM invoices i WHERE i.workspace_id = workspace AND i.number = (typed ->> 'number')::integer
  UNION ALL
  SELECT coalesce(
    (SELECT i.id FROM invoices i WHERE i.workspace_id = workspace
      AND i.document_ordinal = (typed ->> 'ordinal')::integer),
    (SELECT i.id FROM invoices i WHERE i.workspace_id = workspace
      AND i.number = (typed ->> 'ordinal')::integer))
  WHERE typed ->> 'ordinal' IS NOT NULL
  UNION ALL
  SELECT d.id FROM id_of_document(workspace, typed ->> 'document') d WHERE typed ->> 'document' IS NOT NULL
$$;

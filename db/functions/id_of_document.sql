-- Returns the invoice of a workspace that has a document with a number, on the document itself or in the
-- accounting system; null if there is none.
CREATE OR REPLACE FUNCTION id_of_document(workspace text,
  document text) RETURNS TABLE (id text) LANGUAGE sql STABLE AS $$
  SELECT coalesce(
    (SELECT d.invoice_id FROM invoice_documents d WHERE d.workspace_id = workspace AND d.number = document),
    (SELECT i.id FROM invoices i WHERE i.workspace_id = workspace AND i.document_number = document
       AND i.document_ordinal = substring(document FROM '-([0-9]+)$')::integer),
    (SELECT a.invoice_id FROM accounting_documents a WHERE a.workspace_id = workspace
      AND a.number = document))
$$;

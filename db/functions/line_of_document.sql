-- Returns a line of an invoice in the form of documents.
CREATE OR REPLACE FUNCTION line_of_document(l invoice_lines) RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE
  AS $$
  SELECT to_jsonb(l) - 'invoice_id' - 'position' - 'payment_id' - 'change_id'
$$;

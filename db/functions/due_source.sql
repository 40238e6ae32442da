-- The source of a document. One that is issued again after it was cancelled has the same (due_documents).
CREATE OR REPLACE FUNCTION due_source(d invoice_documents) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT regexp_replace(d.source_id, '(-again)+$', '')
$$;

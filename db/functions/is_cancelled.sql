-- True if another document cancels this one (docs/rules/billing.md#documents).
CREATE OR REPLACE FUNCTION is_cancelled(d invoice_documents) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT FROM invoice_documents c
    WHERE c.invoice_id = d.invoice_id AND c.cancels = d.source_id)
$$;

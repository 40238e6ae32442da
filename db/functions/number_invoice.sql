-- An invoice that a process of the previous release stores or issues has a number made of `number`, which can be that of
-- another document: it gets the next one of the counter. To be dropped, with its triggers, in the release after this one.
CREATE OR REPLACE FUNCTION number_invoice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO invoice_counters AS c (workspace_id, last_document_number) VALUES (NEW.workspace_id, 1)
  ON CONFLICT (workspace_id) DO UPDATE SET last_document_number = 1 + coalesce(c.last_document_number,
    -- Null while the migration runs: until then numbers are those of `number`.
    CASE TG_OP WHEN 'INSERT' THEN NEW.number - 1 ELSE c.last_number END)
  RETURNING c.last_document_number INTO NEW.document_ordinal;
  NEW.document_number := (SELECT invoice_prefix FROM workspaces WHERE id = NEW.workspace_id) || '-' || NEW.document_ordinal;
  RETURN NEW;
END
$$;

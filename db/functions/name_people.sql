-- Stores the people that a new document names, with their current names (docs/rules/billing.md#parties).
-- Later documents of an invoice use the names of its first document. The invoice is locked, so an erasure
-- waits for it.
CREATE OR REPLACE FUNCTION name_people() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  first invoice_documents;
BEGIN
  SELECT * INTO first FROM invoice_documents d WHERE d.invoice_id = NEW.invoice_id
    ORDER BY d.kind <> 'invoice', d.created_at, d.number LIMIT 1;
  NEW.payer := coalesce(first.payer, person_paying(NEW.invoice_id));
  NEW.member_names := (
    SELECT jsonb_object_agg(id, coalesce(first.member_names ->> id, name))
    FROM jsonb_each_text(members_in_lines(NEW.workspace_id, NEW.lines)) AS named (id, name));
  RETURN NEW;
END $$;

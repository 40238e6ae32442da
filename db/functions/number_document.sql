-- A process of the previous release calls an invoice without a document number `HF-<number>`: what it issues or sends to
-- the books gets the number that the invoice has or gets (number_invoice.sql). To be dropped, with its triggers, in the
-- release after this one.
CREATE OR REPLACE FUNCTION number_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  shown text;
  own text;
BEGIN
  UPDATE invoices SET document_number = 'HF-' || number WHERE id = NEW.invoice_id AND document_number IS NULL;
  SELECT 'HF-' || i.number, i.document_number INTO shown, own FROM invoices i WHERE i.id = NEW.invoice_id;
  IF own <> shown AND (NEW.number = shown OR starts_with(NEW.number, shown || '-')) THEN
    NEW.number := own || substr(NEW.number, length(shown) + 1);
  END IF;
  RETURN NEW;
END
$$;

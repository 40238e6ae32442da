-- A document that was issued stays as it is: only whether it is void changes.
CREATE OR REPLACE FUNCTION keep_document() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF to_jsonb(OLD) - 'voided_at' IS DISTINCT FROM to_jsonb(NEW) - 'voided_at' THEN
    RAISE EXCEPTION 'document % was issued and cannot be changed', OLD.number;
  END IF;
  RETURN NEW;
END
$$;

-- Prevents changes of issued documents, except that an erasure removes the names of people.
CREATE OR REPLACE FUNCTION keep_document() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  changing CONSTANT text[] := '{payer,member_names}';
  was jsonb := to_jsonb(OLD);
  becomes jsonb := to_jsonb(NEW);
BEGIN
  IF was - changing IS DISTINCT FROM becomes - changing
    OR becomes -> 'payer' NOT IN ('null', was -> 'payer')
    OR NOT becomes -> 'member_names' <@ (was -> 'member_names') THEN
    RAISE EXCEPTION 'document % was issued and cannot be changed', OLD.number;
  END IF;
  RETURN NEW;
END
$$;

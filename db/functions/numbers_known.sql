-- True if no document number of a workspace can have been assigned that this database does not know.
-- Otherwise raises an exception, because a number that is assigned now could be assigned twice
-- (docs/rules/billing.md#numbers-and-references).
CREATE OR REPLACE FUNCTION numbers_known(of_workspace text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF EXISTS (SELECT FROM account_reads WHERE workspace_id = of_workspace AND recovering_since IS NOT NULL
    AND numbers_unknown)
     OR lost_since() IS NOT NULL THEN
    RAISE EXCEPTION 'document numbers of % may be missing', of_workspace
      USING ERRCODE = 'check_violation', CONSTRAINT = 'numbers_known';
  END IF;
  RETURN true;
END $$;

-- Returns the payers of subscription invoices (companies, and members without one), with the first day of
-- their next billing period.
CREATE OR REPLACE FUNCTION subscription_payers() RETURNS TABLE (workspace_id text, payer text, next date)
  LANGUAGE sql STABLE AS $$
  SELECT c.workspace_id, c.id::text, coalesce(c.next_period_on, c.billing_anchor)
  FROM companies c WHERE c.billing_anchor IS NOT NULL
  UNION ALL
  SELECT m.workspace_id, m.id, coalesce(m.next_period_on, m.billing_anchor)
  FROM members m WHERE m.billing_anchor IS NOT NULL AND m.company_id IS NULL
$$;

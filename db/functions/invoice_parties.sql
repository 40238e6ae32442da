-- Returns the current parties of an invoice (docs/rules/billing.md#parties): the workspace, and a company
-- that pays.
CREATE OR REPLACE FUNCTION invoice_parties(workspace text,
  company uuid) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'seller', jsonb_build_object('name', w.name, 'details', w.invoice_details, 'legal_name', w.legal_name,
      'address', w.legal_address, 'tax_number', w.tax_number, 'tax_name', w.tax_name),
    'payer', CASE WHEN c.id IS NOT NULL THEN
      jsonb_build_object('name', c.name, 'address', c.address, 'vat_number', c.vat_number) END)
  FROM workspaces w LEFT JOIN companies c ON c.id = company WHERE w.id = workspace
$$;

-- Returns the card that a payer (a company or a member) has on file at the workspace's account; null if there
-- is none.
CREATE OR REPLACE FUNCTION card_on_file(company uuid, member text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('brand', k.brand, 'last4', k.last4, 'exp_month', k.exp_month, 'exp_year',
    k.exp_year)
  FROM cards k JOIN workspaces w ON w.id = k.workspace_id AND w.processor_account_id = k.account_id
  WHERE k.company_id = company OR k.member_id = member
$$;

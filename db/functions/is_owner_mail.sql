-- True for mail of the service to the owner of a workspace: OWNER_MAILS of domain/mail/kinds.ts.
CREATE OR REPLACE FUNCTION is_owner_mail(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT kind IN ('workspace_created', 'webhook_endpoint_disabled', 'refund_failed', 'refund_unfunded',
    'payment_disputed',
    'accounting_failed', 'number_given_twice', 'database_behind', 'accounting_disconnected',
      'reconciliation_differs',
    'maintenance_announced', 'admin_added', 'api_key_created', 'webhook_url_changed', 'seller_text_changed',
    'full_discount_saved', 'billing_address_changed', 'sso_changed', 'sso_certificate_expires',
      'recipients_limited',
    'mail_held')
$$;

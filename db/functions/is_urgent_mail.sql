-- True for mail that somebody is waiting for, which is sent before all other mail: URGENT_MAILS of
-- domain/mail/kinds.ts.
CREATE OR REPLACE FUNCTION is_urgent_mail(kind text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS
  $$
  SELECT kind IN ('sign_in_link', 'booking_held', 'booking_to_confirm', 'booking_confirmed',
    'booking_change_pending',
    'booking_changed', 'booking_cancelled', 'booking_expired', 'member_invite', 'member_email_requested',
    'member_email_changed', 'second_factor_enrolled', 'second_factor_reset', 'recovery_codes_created',
      'passkey_added',
    'passkey_removed', 'new_device', 'workspace_created')
$$;

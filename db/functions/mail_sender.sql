-- Returns the workspace that sends a mail, as a `StoredSender` of db/queries/mail/sender.ts; null if the
-- service does. Only mail to payers has the look and the contact of its workspace.
CREATE OR REPLACE FUNCTION mail_sender(mail mails) RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object('workspace_id', w.id, 'name', w.name, 'is_speaker', speaks.yes,
    'contact_email', CASE WHEN speaks.yes THEN w.contact_email END,
    'logo_url', CASE WHEN speaks.yes THEN w.logo_url END,
    'accent_color', CASE WHEN speaks.yes THEN w.accent_color END,
    'is_proven', speaks.yes AND w.contact_email IS NOT NULL AND is_contact_of(w.id, lower(w.contact_email)))
  FROM workspaces w, (SELECT NOT is_own_mail(mail.kind) AS yes) speaks
  WHERE w.id = mail.workspace_id AND NOT is_owner_mail(mail.kind)
$$;

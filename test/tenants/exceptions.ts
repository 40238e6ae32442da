/**
 * The statements that may reach rows of several workspaces, and why: each by its beginning, on one line.
 * Every statement that serves a request or a run of one workspace names the workspace, or the key of one of
 * its objects.
 */
export const EXCEPTIONS: Record<string, string[]> = {
  'the outbox relay and the jobs take what is due, of all workspaces, and hand each workspace its own': [
    'SELECT ARRAY(WITH RECURSIVE found AS ( (SELECT workspace_id FROM events WHERE position IS NULL',
    'WITH RECURSIVE found AS ( (SELECT workspace_id FROM events WHERE position IS NULL',
    'SELECT d.invoice_id, d.workspace_id, d.version FROM accounting_due d',
    'SELECT d.workspace_id FROM accounting_due d',
    'SELECT invoice_id, workspace_id, notify_at FROM collections WHERE notify_at <= now()',
    'SELECT setup_id, workspace_id, notify_at FROM removed_cards WHERE notify_at <= now()',
    'SELECT workspace_id, array_agg(id) AS ids FROM (SELECT id, workspace_id FROM tier_changes',
    'SELECT workspace_id, array_agg(id) AS mail_ids FROM (SELECT id, workspace_id FROM mails',
    'SELECT workspace_id FROM mails WHERE notify_at',
    'SELECT workspace_id, notify_at FROM webhook_endpoints WHERE notify_at <= now()',
    'WITH expecting AS ( SELECT workspace_id FROM bookings',
    'SELECT id, workspace_id FROM bookings WHERE remind_at <= now()',
    'SELECT id, id AS workspace_id FROM workspaces WHERE digest_at <= now()',
  ],
  'sweeps take one workspace or all of them, and return ids for runs of their own': [
    'SELECT DISTINCT p.processor_payment_intent_id AS payment_intent_id, p.workspace_id FROM disputes d',
    'SELECT c.id AS "checkoutId", c.workspace_id AS "workspaceId"',
    'SELECT c.workspace_id FROM accounting_connections c',
    'SELECT c.workspace_id, w.time_zone, c.tested_at, c.provider',
    'SELECT account_id, workspace_id, payouts_read_at FROM account_reads',
    'SELECT count(*)::int AS examined FROM invoices',
    'SELECT count(*)::int FROM subscription_payers() p',
    'SELECT w.id, w.time_zone, (SELECT min(p.next) FROM subscription_payers() p',
    'UPDATE job_failures SET again = $3 WHERE job =',
    'DELETE FROM job_failures WHERE job =',
    'SELECT workspace_id, reason FROM job_failures WHERE job = ANY',
    'SELECT time_zone, (array_agg(DISTINCT workspace_id))',
    'SELECT id FROM ( SELECT id, workspace_id FROM bookings',
    'SELECT id FROM bookings WHERE status = $4 AND is_abandoned(bookings)',
    'SELECT id FROM payments WHERE kind = $4 AND status = $5 AND (created_at',
    'SELECT id, workspace_id FROM card_setups WHERE state IN',
    'SELECT id, workspace_id, number, reference, ours, CASE WHEN ours',
    'SELECT m.id, m.workspace_id, w.time_zone, m.status, m.cycle_starts_on, m.trial_ends_at',
    'SELECT p.payer, p.workspace_id, w.time_zone, p.next_statement_on::text FROM (SELECT workspace_id',
    'SELECT w.id FROM workspaces w LEFT JOIN accounting_connections c',
    'UPDATE booking_changes SET state = $4, outcome = $2, request = $5, client = $6, finished_at',
  ],
  'retention and recovery are for the whole database': [
    'DELETE FROM member_invites WHERE new_email IS NOT NULL AND expires_at < now()',
    'SELECT account_id FROM checkouts WHERE state NOT IN',
    'SELECT FROM account_reads WHERE recovering_since IS NOT NULL AND next_read_at <= now()',
    'UPDATE account_reads r SET recovering_since = least(r.recovering_since',
    'UPDATE processor_events SET handled_at = NULL',
  ],
  'a person signs in to all of their workspaces, with one address': [
    'INSERT INTO sign_in_links (id, email, profile_id, token_hash',
  ],
  'the grants of a person, or those of a workspace: each caller gives one of the two': [
    'SELECT k.oauth_grant_id AS grant_id, c.name AS application',
  ],
  'browsers ask whether a site may send a request before they send its key or token': [
    'SELECT $2 FROM api_keys WHERE kind = $3 AND origins @> ARRAY[$1::text]',
    'SELECT FROM oauth_clients WHERE secret_hash IS NULL AND sites @> ARRAY[$1::text]',
  ],
  'whoever has the address of a picture may see it: its key is made of workspace and content': [
    'SELECT FROM pictures WHERE key =',
  ],
  'a page that public guests open by its address': [
    'SELECT * FROM booking_pages WHERE slug =',
    'SELECT c.*, w.name AS workspace_name, n.name AS sign_in_name FROM sso_connections c',
  ],
  'sessions and logins that are over are deleted by whoever begins the next': [
    'DELETE FROM sessions WHERE expires_at < now()',
    'DELETE FROM sso_logins WHERE created_at < now()',
    'UPDATE sso_logins SET answer = $2 WHERE answer IS NOT NULL AND created_at < now()',
  ],
  'a sign-in name belongs to one workspace, among all': [
    'SELECT *, left_at > now() - make_interval(days => $2) AS kept FROM sign_in_names WHERE name =',
  ],
  'mail about what an inner query has found in one workspace, by an id in a text': [
    'SELECT t.kind, t.object_id, t.since, t.amount_minor, t.currency, t.reason, t.due_by, t.mail_kind',
  ],
};

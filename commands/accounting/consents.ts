import { execute, maybeOne } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { AccountingConsent } from '../../db/entities/accounting.js';
import type { Tx } from '../../db/transaction.js';

/** A person's visit to the consent page. */
export type Consent = AccountingConsent;

/** Stores a consent before its page is shown. Storing the same one again changes nothing. */
export async function insertConsent(
  tx: Tx,
  consent: Omit<Consent, 'callback_query' | 'session_hash' | 'created_at'>,
): Promise<void> {
  await insertIfAbsent(tx, AccountingConsent, consent);
}

/** Finds a consent by its id, or by the hash of the state with which the person returned. */
export function findConsent(tx: Tx, by: { id: string } | { state_hash: Buffer }): Promise<Consent | null> {
  return tx.findOneBy(AccountingConsent, by);
}

/**
 * Binds a workspace's consent to a browser session. Returns the URL of the consent page; null if the consent
 * is unknown, older than an hour, used, or bound to another session.
 */
export async function bindConsent(
  tx: Tx,
  consent: { id: string; workspace_id: string },
  sessionHash: Buffer,
): Promise<string | null> {
  const bound = await maybeOne<{ url: string }>(
    tx,
    `UPDATE accounting_consents SET session_hash = $3
     WHERE id = $1 AND workspace_id = $2 AND coalesce(session_hash, $3) = $3 AND callback_query IS NULL
       AND created_at > now() - interval '1 hour'
     RETURNING url`,
    [consent.id, consent.workspace_id, sessionHash],
  );
  return bound?.url ?? null;
}

/** Stores the query string with which the person returned. Only the first one is stored. */
export async function recordConsentCallback(tx: Tx, id: string, query: Buffer): Promise<void> {
  await execute(
    tx,
    `UPDATE accounting_consents SET callback_query = coalesce(callback_query, $2) WHERE id = $1`,
    [id, query],
  );
}

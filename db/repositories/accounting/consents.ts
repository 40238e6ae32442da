import { execute } from '../../query.js';
import { insertIfAbsent, repository, type Row } from '../../tables.js';
import type { Tx } from '../../transaction.js';

/** A person's visit to the consent page. */
export type Consent = Row<'accounting_consents'>;

/** Stores a consent before its page is shown. Storing the same one again changes nothing. */
export async function insertConsent(
  tx: Tx,
  consent: Omit<Consent, 'callback_query' | 'created_at'>,
): Promise<void> {
  await insertIfAbsent(tx, 'accounting_consents', consent);
}

/** A consent by its id, or by the hash of the state that the person returned with. */
export function findConsent(tx: Tx, by: { id: string } | { state_hash: Buffer }): Promise<Consent | null> {
  return repository(tx, 'accounting_consents').findOneBy(by);
}

/** Stores the query that the person returned with. Only the first one is kept. */
export async function recordConsentCallback(tx: Tx, id: string, query: Buffer): Promise<void> {
  await execute(
    tx,
    `UPDATE accounting_consents SET callback_query = coalesce(callback_query, $2) WHERE id = $1`,
    [id, query],
  );
}

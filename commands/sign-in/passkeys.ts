import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { affected, execute, many, maybeOne } from '../../db/query.js';
import { Passkey } from '../../db/entities/access.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { auditPerson } from '../audit-log/audit.js';
import { enqueueMail } from '../mail/mails.js';
import { renewRecoveryCodes, type OwnSession } from './authenticators.js';
import { lockFactors } from './second-factors.js';
import { deleteOtherSessions, renewSession } from './sessions.js';

/** The maximum number of passkeys of a person. */
export const MAX_PASSKEYS = 20;

/** Lists the passkeys of a person, oldest first. */
export function listPasskeys(tx: Tx, profileId: string): Promise<Passkey[]> {
  return many<Passkey>(tx, `SELECT * FROM passkeys WHERE profile_id = $1 ORDER BY created_at, id`, [
    profileId,
  ]);
}

/** Returns a passkey of a person who can sign in, by the id of its credential; null if there is none. */
export function findPasskey(tx: Tx, id: string): Promise<Passkey | null> {
  return maybeOne<Passkey>(
    tx,
    `SELECT k.* FROM passkeys k JOIN profiles p ON p.id = k.profile_id AND p.verified_at IS NOT NULL
     WHERE k.id = $1 AND EXISTS (SELECT FROM members m WHERE m.profile_id = p.id AND may_accept(m))`,
    [id],
  );
}

/** A passkey that a browser has created. */
type NewPasskey = Omit<Passkey, 'created_at' | 'last_used_at'>;

/** Stores a passkey. Returns false if it already exists, or the person has the maximum number. */
async function insertPasskey(tx: Tx, passkey: NewPasskey): Promise<boolean> {
  const { id, profile_id, name, public_key, counter, transports, backed_up } = passkey;
  await lockFactors(tx, profile_id);
  const inserted = await affected(
    tx,
    `INSERT INTO passkeys (id, profile_id, name, public_key, counter, transports, backed_up)
     SELECT $1, $2, $3, $4, $5, $6, $7 WHERE (SELECT count(*) FROM passkeys WHERE profile_id = $2) < $8
     ON CONFLICT DO NOTHING`,
    [id, profile_id, name, public_key, counter, transports, backed_up, MAX_PASSKEYS],
  );
  if (inserted === 0) return false;
  // Wrong recovery codes are counted there, also for people without an authenticator.
  await execute(tx, `INSERT INTO second_factors (profile_id) VALUES ($1) ON CONFLICT DO NOTHING`, [
    profile_id,
  ]);
  await auditPerson(tx, profile_id, { action: 'passkey.added' });
  return true;
}

/**
 * Adds a passkey from within a session of its person (docs/rules/credentials.md#passkeys). Ends their other
 * sessions and sends mail. Returns the token under which the session continues, and the recovery codes that
 * come with the first second factor; null if the passkey already exists, or the person has the maximum
 * number. Errors: 401 `auth_invalid` if the session has ended in the meantime.
 */
export const addPasskey = (
  db: DataSource,
  { id_hash, has_second_factor }: OwnSession & { has_second_factor: boolean },
  passkey: NewPasskey,
): Promise<{ token: string; codes: string[] } | null> =>
  transaction(db, async (tx) => {
    const { profile_id } = passkey;
    if (!(await insertPasskey(tx, passkey))) return null;
    await deleteOtherSessions(tx, profile_id, id_hash);
    const token = await renewSession(tx, id_hash);
    await enqueueMail(tx, { kind: 'passkey_added', profile_id, about: newId('mail') });
    return { token, codes: has_second_factor ? [] : await renewRecoveryCodes(tx, profile_id) };
  });

/** A use of a passkey by its person. */
export type PasskeyUse = Pick<Passkey, 'id' | 'profile_id' | 'counter' | 'backed_up'>;

/**
 * Confirms a session with a passkey. Returns the token under which it continues; null if the passkey cannot
 * be used.
 */
export const confirmByPasskey = (
  db: DataSource,
  { id_hash }: OwnSession,
  use: PasskeyUse,
): Promise<string | null> =>
  transaction(db, async (tx) => ((await usePasskey(tx, use)) ? renewSession(tx, id_hash) : null));

/**
 * Records a use of a passkey. Returns false if it no longer exists or its counter has not advanced, which
 * means that it was copied, or the same signature was sent twice.
 */
export async function usePasskey(tx: Tx, use: PasskeyUse): Promise<boolean> {
  const used = await affected(
    tx,
    `UPDATE passkeys SET counter = $2, backed_up = $3, last_used_at = now()
     WHERE id = $1 AND (counter < $2 OR counter = 0 AND $2 = 0)`,
    [use.id, use.counter, use.backed_up],
  );
  return used > 0;
}

/** Renames a passkey of a person. */
export async function renamePasskey(tx: Tx, profileId: string, id: string, name: string): Promise<void> {
  await tx.update(Passkey, { id, profile_id: profileId }, { name });
}

/**
 * Removes a passkey of a person and sends mail. Returns false if it is unknown or their only second factor.
 */
export const removePasskey = (db: DataSource, profileId: string, id: string): Promise<boolean> =>
  transaction(db, async (tx) => {
    // Two concurrent removals must not each rely on the other passkey.
    await lockFactors(tx, profileId);
    const removed = await affected(
      tx,
      `DELETE FROM passkeys WHERE id = $2 AND profile_id = $1 AND (has_authenticator($1)
         OR EXISTS (SELECT FROM passkeys other WHERE other.profile_id = $1 AND other.id <> $2))`,
      [profileId, id],
    );
    if (removed === 0) return false;
    await auditPerson(tx, profileId, { action: 'passkey.removed' });
    await enqueueMail(tx, { kind: 'passkey_removed', profile_id: profileId, about: newId('mail') });
    return true;
  });

import { affected, execute, maybeOne, one } from '../../db/query.js';
import { RecoveryCode, SecondFactor as StoredFactor } from '../../db/entities/access.js';
import type { Tx } from '../../db/transaction.js';
import { auditPerson } from '../audit-log/audit.js';

/** A person's authenticator; the secret is encrypted. */
export interface SecondFactor extends Pick<StoredFactor, 'secret' | 'last_step'> {
  /** True if there were too many wrong codes recently. */
  locked: boolean;
}

/**
 * Lets changes of a person's authenticator, passkeys and recovery codes take effect one at a time, so none of
 * them outlives a reset.
 */
export async function lockFactors(tx: Tx, profileId: string): Promise<void> {
  await execute(tx, `SELECT FROM profiles WHERE id = $1 FOR UPDATE`, [profileId]);
}

/**
 * Stores a new authenticator, which replaces the current one. `step`: the time step of
 * the code that confirmed it.
 */
export async function setSecondFactor(
  tx: Tx,
  profileId: string,
  secret: Buffer,
  step: number,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO second_factors (profile_id, secret, last_step, confirmed_at) VALUES ($1, $2, $3, now())
     ON CONFLICT (profile_id) DO UPDATE
     SET secret = $2, last_step = $3, confirmed_at = now(), failures = 0, failing_since = NULL`,
    [profileId, secret, step],
  );
  await auditPerson(tx, profileId, { action: 'second_factor.enrolled' });
}

/**
 * Returns the person's authenticator, locked so that their codes are checked one at a time; null without one.
 * After 5 wrong codes, no code is checked until 15 minutes after the first of them.
 */
export function lockSecondFactor(tx: Tx, profileId: string): Promise<SecondFactor | null> {
  return maybeOne<SecondFactor>(
    tx,
    `SELECT secret, last_step,
            failures >= 5 AND failing_since > now() - interval '15 minutes' AS locked
     FROM second_factors WHERE profile_id = $1 FOR UPDATE`,
    [profileId],
  );
}

/** Counts a wrong code. The count restarts 15 minutes after its first wrong code. */
export async function countFailure(tx: Tx, profileId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE second_factors SET
       failures = CASE WHEN failing_since > now() - interval '15 minutes' THEN failures + 1 ELSE 1 END,
       failing_since = CASE WHEN failing_since > now() - interval '15 minutes' THEN failing_since
         ELSE now() END
     WHERE profile_id = $1`,
    [profileId],
  );
}

/** Records the time step of a correct code. */
export async function acceptStep(tx: Tx, profileId: string, step: number): Promise<void> {
  await execute(
    tx,
    `UPDATE second_factors SET last_step = $2, failures = 0, failing_since = NULL WHERE profile_id = $1`,
    [profileId, step],
  );
}

/** Replaces a person's recovery codes. */
export async function replaceRecoveryCodes(tx: Tx, profileId: string, hashes: Buffer[]): Promise<void> {
  await tx.delete(RecoveryCode, { profile_id: profileId });
  await execute(
    tx,
    `INSERT INTO recovery_codes (profile_id, code_hash) SELECT $1, hash FROM unnest($2::bytea[]) AS hash`,
    [profileId, hashes],
  );
  await auditPerson(tx, profileId, { action: 'recovery_codes.created' });
}

/** Uses up a recovery code. Returns false if it does not exist or was already used. */
export async function useRecoveryCode(tx: Tx, profileId: string, hash: Buffer): Promise<boolean> {
  const used = await affected(
    tx,
    `UPDATE recovery_codes SET used_at = now() WHERE profile_id = $1 AND code_hash = $2 AND used_at IS NULL`,
    [profileId, hash],
  );
  if (used === 0) return false;
  await tx.update(StoredFactor, { profile_id: profileId }, { failures: 0, failing_since: null });
  return true;
}

/** Returns the number of unused recovery codes of a person. */
export async function countRecoveryCodes(tx: Tx, profileId: string): Promise<number> {
  const { left } = await one<{ left: number }>(
    tx,
    `SELECT count(*)::int AS left FROM recovery_codes WHERE profile_id = $1 AND used_at IS NULL`,
    [profileId],
  );
  return left;
}

import type { Tx } from '../../transaction.js';

/** After this many wrong codes no code is looked at until the first of them is `FAILURE_MINUTES` old. */
const MOST_FAILURES = 5;
const FAILURE_MINUTES = 15;

/** A person's authenticator; secrets are encrypted. */
export interface SecondFactor {
  secret: Buffer | null;
  pending_secret: Buffer | null;
  /** A number, whatever the column's size: a time step. */
  last_step: number;
  /** Too many wrong codes of late. */
  locked: boolean;
}

/** Keeps the secret of an authenticator that is being set up. */
export async function setPendingSecret(tx: Tx, profileId: string, secret: Buffer): Promise<void> {
  await tx.query(
    `INSERT INTO second_factors (profile_id, pending_secret) VALUES ($1, $2)
     ON CONFLICT (profile_id) DO UPDATE SET pending_secret = $2`,
    [profileId, secret],
  );
}

/** The person's authenticator, null where none was ever set up. */
export async function findSecondFactor(tx: Tx, profileId: string): Promise<SecondFactor | null> {
  const [row] = await tx.query(`SELECT ${COLUMNS} FROM second_factors WHERE profile_id = $1`, [profileId]);
  return row ?? null;
}

const COLUMNS = `secret, pending_secret, last_step,
  failures >= ${MOST_FAILURES} AND failing_since > now() - interval '${FAILURE_MINUTES} minutes' AS locked`;

/** As `findSecondFactor`; codes of one person are looked at one after the other from here on. */
export async function lockSecondFactor(tx: Tx, profileId: string): Promise<SecondFactor | null> {
  const [row] = await tx.query(`SELECT ${COLUMNS} FROM second_factors WHERE profile_id = $1 FOR UPDATE`, [
    profileId,
  ]);
  return row ?? null;
}

/** Counts a wrong code; a new count begins where the last one is old. */
export async function countFailure(tx: Tx, profileId: string): Promise<void> {
  await tx.query(
    `UPDATE second_factors SET
       failures = CASE WHEN failing_since > now() - interval '${FAILURE_MINUTES} minutes' THEN failures + 1 ELSE 1 END,
       failing_since = CASE WHEN failing_since > now() - interval '${FAILURE_MINUTES} minutes' THEN failing_since
                       ELSE now() END
     WHERE profile_id = $1`,
    [profileId],
  );
}

/** Notes the time step of a right code. `confirm` makes the authenticator that was being set up the one that counts. */
export async function acceptStep(
  tx: Tx,
  profileId: string,
  step: number,
  { confirm }: { confirm: boolean },
): Promise<void> {
  const promote = confirm ? `, secret = pending_secret, pending_secret = NULL, confirmed_at = now()` : '';
  await tx.query(
    `UPDATE second_factors SET last_step = $2, failures = 0, failing_since = NULL${promote} WHERE profile_id = $1`,
    [profileId, step],
  );
}

/** Replaces a person's recovery codes. */
export async function replaceRecoveryCodes(tx: Tx, profileId: string, hashes: Buffer[]): Promise<void> {
  await tx.query(`DELETE FROM recovery_codes WHERE profile_id = $1`, [profileId]);
  await tx.query(
    `INSERT INTO recovery_codes (profile_id, code_hash) SELECT $1, hash FROM unnest($2::bytea[]) AS hash`,
    [profileId, hashes],
  );
}

/** Uses a recovery code up; false for one that isn't there or was used. */
export async function useRecoveryCode(tx: Tx, profileId: string, hash: Buffer): Promise<boolean> {
  const [, used] = await tx.query(
    `UPDATE recovery_codes SET used_at = now() WHERE profile_id = $1 AND code_hash = $2 AND used_at IS NULL`,
    [profileId, hash],
  );
  if (used === 1)
    await tx.query(`UPDATE second_factors SET failures = 0, failing_since = NULL WHERE profile_id = $1`, [
      profileId,
    ]);
  return used === 1;
}

/** How many recovery codes a person has left. */
export async function countRecoveryCodes(tx: Tx, profileId: string): Promise<number> {
  const [{ left }] = await tx.query(
    `SELECT count(*)::int AS left FROM recovery_codes WHERE profile_id = $1 AND used_at IS NULL`,
    [profileId],
  );
  return left;
}

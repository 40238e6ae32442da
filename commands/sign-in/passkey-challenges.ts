import { affected, execute } from '../../db/query.js';
import { PasskeyChallenge } from '../../db/entities/access.js';
import type { Tx } from '../../db/transaction.js';

/** How long a challenge can be answered. */
export const CHALLENGE_MINUTES = 5;

export type Challenge = Pick<PasskeyChallenge, 'digest' | 'purpose' | 'session_hash'>;

/** Stores a challenge, and deletes expired ones. */
export async function insertChallenge(tx: Tx, challenge: Challenge): Promise<void> {
  await execute(tx, `DELETE FROM passkey_challenges WHERE created_at < now() - make_interval(mins => $1)`, [
    CHALLENGE_MINUTES,
  ]);
  await tx.insert(PasskeyChallenge, challenge);
}

/**
 * Uses up a challenge, whatever the outcome. Returns false if it is unknown, used, too old, or belongs to
 * another session.
 */
export async function takeChallenge(tx: Tx, { digest, purpose, session_hash }: Challenge): Promise<boolean> {
  const taken = await affected(
    tx,
    `DELETE FROM passkey_challenges
     WHERE digest = $1 AND purpose = $2 AND session_hash IS NOT DISTINCT FROM $3
       AND created_at > now() - make_interval(mins => $4)`,
    [digest, purpose, session_hash, CHALLENGE_MINUTES],
  );
  return taken > 0;
}

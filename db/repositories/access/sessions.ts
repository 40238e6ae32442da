import type { Tx } from '../../transaction.js';
import { MAY_SIGN_IN } from './sign-in-links.js';

/** A session ends after this long without a request, and after `SESSION_DAYS` whatever is done. */
const IDLE_HOURS = 12;
export const SESSION_DAYS = 7;
/** For how long a code that was shown is enough to change how one signs in. */
const FRESH_MINUTES = 15;

/** What the person still has to show before they are signed in. */
export type SignInStage = 'second_factor' | 'enrolment' | 'complete';

/** A browser's session and whose it is. */
export interface Session {
  profile_id: string;
  email: string;
  name: string;
  stage: SignInStage;
  /** The person has an authenticator. */
  has_second_factor: boolean;
  /** A code was shown not long ago. */
  fresh: boolean;
  return_to: string;
}

/**
 * The live session behind a hash, or null. Who has an authenticator must have used it; an admin or owner of any
 * workspace must have one.
 */
export async function findSession(tx: Tx, idHash: Buffer): Promise<Session | null> {
  const [row] = await tx.query(
    `SELECT s.profile_id, p.email, p.name, s.return_to, s.second_factor_at IS NOT NULL AS shown,
            coalesce(s.second_factor_at > now() - $3 * interval '1 minute', false) AS fresh,
            s.last_seen_at < now() - interval '1 minute' AS touch,
            EXISTS (SELECT FROM second_factors f WHERE f.profile_id = p.id AND f.secret IS NOT NULL)
              AS has_second_factor,
            EXISTS (SELECT FROM members m WHERE m.profile_id = p.id AND m.role IN ('admin', 'owner')
              AND ${MAY_SIGN_IN}) AS needs_second_factor
     FROM sessions s JOIN profiles p ON p.id = s.profile_id
     WHERE s.id_hash = $1 AND s.expires_at > now() AND s.last_seen_at > now() - $2 * interval '1 hour'`,
    [idHash, IDLE_HOURS, FRESH_MINUTES],
  );
  if (!row) return null;
  if (row.touch) await tx.query(`UPDATE sessions SET last_seen_at = now() WHERE id_hash = $1`, [idHash]);
  const { profile_id, email, name, has_second_factor, fresh, return_to } = row;
  const missing = has_second_factor ? 'second_factor' : row.needs_second_factor ? 'enrolment' : null;
  const stage: SignInStage = row.shown || !missing ? 'complete' : missing;
  return { profile_id, email, name, stage, has_second_factor, fresh, return_to };
}

/** Begins a session, and clears away those of anybody that have ended. */
export async function insertSession(
  tx: Tx,
  session: { id_hash: Buffer; profile_id: string; return_to: string },
): Promise<void> {
  await tx.query(`DELETE FROM sessions WHERE expires_at < now()`);
  await tx.query(
    `INSERT INTO sessions (id_hash, profile_id, return_to, expires_at)
     VALUES ($1, $2, $3, now() + $4 * interval '1 day')`,
    [session.id_hash, session.profile_id, session.return_to, SESSION_DAYS],
  );
}

/** Goes on with a session under a new id, now that a code was shown; its end stays. */
export async function confirmSession(tx: Tx, idHash: Buffer, newIdHash: Buffer): Promise<void> {
  await tx.query(`UPDATE sessions SET id_hash = $2, second_factor_at = now() WHERE id_hash = $1`, [
    idHash,
    newIdHash,
  ]);
}

/** Keeps where the person wanted to go before they were asked for a code. */
export async function setReturnTo(tx: Tx, idHash: Buffer, returnTo: string): Promise<void> {
  await tx.query(`UPDATE sessions SET return_to = $2 WHERE id_hash = $1`, [idHash, returnTo]);
}

/** Ends a session. */
export async function deleteSession(tx: Tx, idHash: Buffer): Promise<void> {
  await tx.query(`DELETE FROM sessions WHERE id_hash = $1`, [idHash]);
}

/** Ends every session of a person. */
export async function deleteSessionsOf(tx: Tx, profileId: string): Promise<void> {
  await tx.query(`DELETE FROM sessions WHERE profile_id = $1`, [profileId]);
}

import { execute, maybeOne } from '../../db/query.js';
import { fromNow, NOW } from '../../db/database-time.js';
import { Session as StoredSession } from '../../db/entities/access.js';
import type { Tx } from '../../db/transaction.js';
import { DAY_SECONDS } from '../../domain/durations.js';
import { auditPerson } from '../workspaces/audit.js';
import { MAY_SIGN_IN } from '../../db/queries/members/membership.js';

/** A session ends after this long without a request, and after `SESSION_DAYS` in any case. */
const IDLE_HOURS = 12;
export const SESSION_DAYS = 7;
/** How long an entered code allows changes of the sign-in methods. */
const FRESH_MINUTES = 15;
/** How long after a sign-in its session allows changes of address and sign-in methods. */
export const RECENT_SIGN_IN_MINUTES = 10;

/** The step that is missing before the person is signed in. */
export type SignInStage = 'second_factor' | 'enrolment' | 'complete';

/** A browser's session with its person. */
export interface Session {
  profile_id: string;
  email: string;
  stage: SignInStage;
  /** The person has an authenticator. */
  has_second_factor: boolean;
  /** A code was entered recently. */
  fresh: boolean;
  /** The session was started by a link recently. */
  recent_sign_in: boolean;
  return_to: string;
}

interface SessionRow extends Omit<Session, 'stage'> {
  presented: boolean;
  needs_second_factor: boolean;
  /** `last_seen_at` is more than a minute old. */
  stale: boolean;
}

/**
 * The live session with this hash, or null. Updates `last_seen_at`. A person with an authenticator must have used it;
 * an admin or owner of any workspace must have one, once they have accepted that membership.
 */
export async function touchSession(tx: Tx, idHash: Buffer): Promise<Session | null> {
  const row = await maybeOne<SessionRow>(
    tx,
    `SELECT s.profile_id, p.email, s.return_to, s.second_factor_at IS NOT NULL AS presented,
            coalesce(s.second_factor_at > now() - $3 * interval '1 minute', false) AS fresh,
            s.created_at > now() - $4 * interval '1 minute' AS recent_sign_in,
            s.last_seen_at < now() - interval '1 minute' AS stale,
            EXISTS (SELECT FROM second_factors f WHERE f.profile_id = p.id AND f.secret IS NOT NULL)
              AS has_second_factor,
            EXISTS (SELECT FROM members m WHERE m.profile_id = p.id AND m.role IN ('admin', 'owner')
              AND ${MAY_SIGN_IN}) AS needs_second_factor
     FROM sessions s JOIN profiles p ON p.id = s.profile_id AND p.verified_at IS NOT NULL
     WHERE s.id_hash = $1 AND s.expires_at > now() AND s.last_seen_at > now() - $2 * interval '1 hour'`,
    [idHash, IDLE_HOURS, FRESH_MINUTES, RECENT_SIGN_IN_MINUTES],
  );
  if (!row) return null;
  const { presented, needs_second_factor, stale, ...session } = row;
  if (stale) await tx.update(StoredSession, { id_hash: idHash }, { last_seen_at: NOW });
  const missing = session.has_second_factor ? 'second_factor' : needs_second_factor ? 'enrolment' : null;
  return { ...session, stage: presented || !missing ? 'complete' : missing };
}

/** Starts a session, with an entry in the audit logs of the person's workspaces, and deletes all expired ones. */
export async function insertSession(
  tx: Tx,
  session: { id_hash: Buffer; profile_id: string; return_to: string },
): Promise<void> {
  await execute(tx, `DELETE FROM sessions WHERE expires_at < now()`);
  const { id_hash, profile_id, return_to } = session;
  await tx.insert(StoredSession, {
    id_hash,
    profile_id,
    return_to,
    expires_at: fromNow(SESSION_DAYS * DAY_SECONDS),
  });
  await auditPerson(tx, profile_id, { action: 'session.created' });
}

/** How long a session keeps the secret of an authenticator that is being set up. */
const ENROLMENT_MINUTES = 10;

/**
 * The encrypted secret of the authenticator that is being set up in a session, which is locked; null without a recent
 * one.
 */
export async function lockPendingSecret(tx: Tx, idHash: Buffer): Promise<Buffer | null> {
  const session = await maybeOne<{ pending_secret: Buffer | null }>(
    tx,
    `SELECT CASE WHEN pending_secret_at > now() - $2 * interval '1 minute' THEN pending_secret END AS pending_secret
     FROM sessions WHERE id_hash = $1 FOR UPDATE`,
    [idHash, ENROLMENT_MINUTES],
  );
  return session?.pending_secret ?? null;
}

/** Stores the secret of an authenticator that is being set up in a session. */
export async function setPendingSecret(tx: Tx, idHash: Buffer, secret: Buffer): Promise<void> {
  await tx.update(StoredSession, { id_hash: idHash }, { pending_secret: secret, pending_secret_at: NOW });
}

/** Continues a session under a new id after a code was entered. Its expiry stays. */
export async function confirmSession(tx: Tx, idHash: Buffer, newIdHash: Buffer): Promise<void> {
  await tx.update(
    StoredSession,
    { id_hash: idHash },
    { id_hash: newIdHash, second_factor_at: NOW, pending_secret: null, pending_secret_at: null },
  );
}

/** Stores the path that was requested before the person was asked for a code. */
export async function setReturnTo(tx: Tx, idHash: Buffer, returnTo: string): Promise<void> {
  await tx.update(StoredSession, { id_hash: idHash }, { return_to: returnTo });
}

/** Ends a session. */
export async function deleteSession(tx: Tx, idHash: Buffer): Promise<void> {
  await tx.delete(StoredSession, { id_hash: idHash });
}

/** Ends all sessions of a person except one. */
export async function deleteOtherSessions(tx: Tx, profileId: string, except: Buffer): Promise<void> {
  await execute(tx, `DELETE FROM sessions WHERE profile_id = $1 AND id_hash <> $2`, [profileId, except]);
}

/** Ends all sessions of a person. */
export async function deleteSessionsOf(tx: Tx, profileId: string): Promise<void> {
  await tx.delete(StoredSession, { profile_id: profileId });
}

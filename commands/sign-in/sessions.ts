import { randomUUID } from 'node:crypto';
import { affected, execute, exists, many, maybeOne } from '../../db/query.js';
import { fromNow, NOW } from '../../db/database-time.js';
import { Session as StoredSession } from '../../db/entities/access.js';
import { hashSecret, newSecret } from '../../db/secrets.js';
import type { Tx } from '../../db/transaction.js';
import { DAY_SECONDS } from '../../domain/durations.js';
import { ApiError } from '../../domain/errors.js';
import { SSO_SESSION_HOURS } from '../../domain/single-sign-on/providers.js';
import { audit, auditPerson } from '../audit-log/audit.js';

/** A session ends after this long without a request, and after `SESSION_DAYS` in any case. */
const IDLE_HOURS = 12;
export const SESSION_DAYS = 7;
/** How long after entering a code the sign-in methods can be changed. */
export const FRESH_MINUTES = 15;
/** How long after a sign-in its session can be used to change the address and the sign-in methods. */
export const RECENT_SIGN_IN_MINUTES = 10;

/** The step that is missing before the person is signed in. */
export type SignInStage = 'second_factor' | 'enrolment' | 'complete';

/** The provider through which a session was started. Such a session is only for its workspace. */
export interface SessionProvider {
  workspace_id: string;
  /** The name that people see. */
  name: string;
  sign_in_name: string;
  subject: string;
}

/** A browser's session with its person. */
export interface Session {
  profile_id: string;
  email: string;
  stage: SignInStage;
  has_second_factor: boolean;
  has_authenticator: boolean;
  has_passkey: boolean;
  /** A code was entered, or a passkey used, recently. */
  fresh: boolean;
  /** The session was started by a link recently. */
  recent_sign_in: boolean;
  return_to: string;
  /** Null for a session that was started without a provider, which opens all of the person's workspaces. */
  provider: SessionProvider | null;
}

interface SessionRow extends Omit<Session, 'stage' | 'has_second_factor'> {
  presented: boolean;
  needs_second_factor: boolean;
  /** `last_seen_at` is more than a minute old. */
  stale: boolean;
}

/**
 * Returns the live session with this hash, or null. Updates `last_seen_at`. A person with a second factor
 * must have used it. An admin or owner of any workspace, and every member of one that requires it, must have
 * one once they have accepted that membership. A session through a provider ends when the provider is
 * switched off. Only its workspace decides whether it needs a second factor, and it may trust the provider's
 * (docs/rules/single-sign-on.md#second-factor). A workspace whose membership the person has not accepted
 * learns nothing about their second factors and cannot require one.
 */
export async function touchSession(tx: Tx, idHash: Buffer): Promise<Session | null> {
  const row = await maybeOne<SessionRow>(
    tx,
    `SELECT s.profile_id, p.email, s.return_to, s.second_factor_at IS NOT NULL AS presented,
            coalesce(CASE WHEN s.workspace_id IS NULL THEN s.second_factor_at ELSE s.provider_proof_at END
              > now() - $3 * interval '1 minute', false) AS fresh,
            s.created_at > now() - $4 * interval '1 minute' AND NOT s.by_passkey
              AND s.workspace_id IS NULL AS recent_sign_in,
            s.last_seen_at < now() - interval '1 minute' AS stale,
            has_authenticator(p.id) AND factors.shown AS has_authenticator, has_passkey(p.id)
              AND factors.shown AS has_passkey,
            CASE WHEN s.workspace_id IS NOT NULL
              THEN json_build_object('workspace_id', s.workspace_id, 'name', c.name,
              'sign_in_name', n.name, 'subject', s.provider_subject) END AS provider,
            EXISTS (SELECT FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = p.id
              AND (m.role IN ('admin', 'owner') OR w.require_second_factor)
              AND CASE WHEN s.workspace_id IS NULL THEN may_sign_in(m)
                  ELSE m.workspace_id = s.workspace_id AND may_accept(m)
                    AND NOT c.trust_second_factor END) AS needs_second_factor
     FROM sessions s JOIN profiles p ON p.id = s.profile_id AND (p.verified_at IS NOT NULL
       OR s.workspace_id IS NOT NULL)
       LEFT JOIN sso_connections c ON c.workspace_id = s.workspace_id
       CROSS JOIN LATERAL (SELECT s.workspace_id IS NULL OR EXISTS (SELECT FROM members m
         WHERE m.profile_id = p.id AND m.workspace_id = s.workspace_id AND may_sign_in(m)) AS shown) factors
       LEFT JOIN sign_in_names n ON n.workspace_id = s.workspace_id AND n.left_at IS NULL
     WHERE s.id_hash = $1 AND s.expires_at > now() AND s.last_seen_at > now() - $2 * interval '1 hour'
       AND (s.workspace_id IS NULL OR c.enabled)`,
    [idHash, IDLE_HOURS, FRESH_MINUTES, RECENT_SIGN_IN_MINUTES],
  );
  if (!row) return null;
  const { presented, needs_second_factor, stale, ...session } = row;
  if (stale) await tx.update(StoredSession, { id_hash: idHash }, { last_seen_at: NOW });
  const has_second_factor = session.has_authenticator || session.has_passkey;
  // Through a provider, a person is only asked for their own second factor if their role needs one.
  const isAsked = has_second_factor && (needs_second_factor || !row.provider);
  const missing = isAsked ? 'second_factor' : needs_second_factor ? 'enrolment' : null;
  return { ...session, has_second_factor, stage: presented || !missing ? 'complete' : missing };
}

/**
 * Starts a session, which is complete if it was started with a passkey. Stores an entry in the audit logs of
 * the person's workspaces and deletes all expired sessions. Returns its token, of which only the hash is
 * stored.
 */
export async function insertSession(
  tx: Tx,
  session: { profile_id: string; return_to: string; device: string; by_passkey?: boolean },
): Promise<string> {
  await execute(tx, `DELETE FROM sessions WHERE expires_at < now()`);
  const { profile_id, return_to, device, by_passkey = false } = session;
  const token = newSecret();
  await tx.insert(StoredSession, {
    id_hash: hashSecret(token),
    profile_id,
    return_to,
    device,
    by_passkey,
    second_factor_at: by_passkey ? NOW : null,
    handle: randomUUID(),
    expires_at: fromNow(SESSION_DAYS * DAY_SECONDS),
  });
  await auditPerson(tx, profile_id, { action: 'session.created' });
  return token;
}

/**
 * Starts a session through a workspace's provider, with an entry in the audit log of that workspace only.
 * `ends_at`: when the provider wants it to end. Returns its token, of which only the hash is stored.
 */
export async function insertProviderSession(
  tx: Tx,
  session: {
    profile_id: string;
    member_id: string;
    workspace_id: string;
    subject: string;
    return_to: string;
    device: string;
    ends_at: Date | null;
  },
): Promise<string> {
  const { profile_id, member_id, workspace_id, subject, return_to, device, ends_at } = session;
  const token = newSecret();
  await execute(tx, `DELETE FROM sessions WHERE expires_at < now()`);
  await execute(
    tx,
    `INSERT INTO sessions (id_hash, profile_id, workspace_id, provider_subject, return_to, device, handle,
      expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, least(now() + $8 * interval '1 hour', $9::timestamptz))`,
    [
      hashSecret(token),
      profile_id,
      workspace_id,
      subject,
      return_to,
      device,
      randomUUID(),
      SSO_SESSION_HOURS,
      ends_at,
    ],
  );
  const by = { workspace_id, member_id, key_id: null };
  await audit(tx, by, { action: 'session.created', object: member_id, details: { via: 'sso' } });
  return token;
}

/**
 * Continues a session under a new token after its person has signed in again at its provider, so a copy of
 * the session ends. Returns false if the session belongs to another subject, or has ended.
 */
export async function proveProviderSession(
  tx: Tx,
  { id_hash, subject, token }: { id_hash: Buffer; subject: string; token: string },
): Promise<boolean> {
  const prove = `UPDATE sessions SET provider_proof_at = now(), id_hash = $3
    WHERE id_hash = $1 AND provider_subject = $2 AND expires_at > now()`;
  return (await affected(tx, prove, [id_hash, subject, hashSecret(token)])) > 0;
}

/** Ends the sessions through the provider of a workspace; with `profileId`, only those of one person. */
export async function deleteProviderSessions(tx: Tx, workspaceId: string, profileId?: string): Promise<void> {
  await tx.delete(StoredSession, { workspace_id: workspaceId, ...(profileId && { profile_id: profileId }) });
}

/** How long a session keeps the secret of an authenticator that is being set up. */
const ENROLMENT_MINUTES = 10;

/**
 * Returns the encrypted secret of the authenticator that is being set up in a session, and locks the session;
 * null without a recent secret.
 */
export async function lockPendingSecret(tx: Tx, idHash: Buffer): Promise<Buffer | null> {
  const session = await maybeOne<{ pending_secret: Buffer | null }>(
    tx,
    `SELECT CASE WHEN pending_secret_at > now() - $2 * interval '1 minute'
      THEN pending_secret END AS pending_secret
     FROM sessions WHERE id_hash = $1 FOR UPDATE`,
    [idHash, ENROLMENT_MINUTES],
  );
  return session?.pending_secret ?? null;
}

/** Stores the secret of an authenticator that is being set up in a session. */
export async function setPendingSecret(tx: Tx, idHash: Buffer, secret: Buffer): Promise<void> {
  await tx.update(StoredSession, { id_hash: idHash }, { pending_secret: secret, pending_secret_at: NOW });
}

const sessionEnded = (): ApiError =>
  new ApiError('auth_invalid', 'Your session has ended in the meantime. Sign in again.');

/**
 * Continues a session under a new token after a code was entered or a passkey was used. Returns the token.
 * The expiry stays. Errors: 401 `auth_invalid` if the session has ended in the meantime.
 */
export async function renewSession(tx: Tx, idHash: Buffer): Promise<string> {
  const token = newSecret();
  const renewed = await tx.update(
    StoredSession,
    { id_hash: idHash },
    { id_hash: hashSecret(token), second_factor_at: NOW, pending_secret: null, pending_secret_at: null },
  );
  if (!renewed.affected) throw sessionEnded();
  return token;
}

/** Locks a session that changes how its person signs in. Errors: 401 `auth_invalid` if it has ended. */
export async function lockSession(tx: Tx, idHash: Buffer): Promise<void> {
  if (!(await exists(tx, `SELECT FROM sessions WHERE id_hash = $1 FOR UPDATE`, [idHash])))
    throw sessionEnded();
}

/** Stores the path that was requested before the person was asked for a code. */
export async function setReturnTo(tx: Tx, idHash: Buffer, returnTo: string): Promise<void> {
  await tx.update(StoredSession, { id_hash: idHash }, { return_to: returnTo });
}

/** Ends a session. */
export async function deleteSession(tx: Tx, idHash: Buffer): Promise<void> {
  await tx.delete(StoredSession, { id_hash: idHash });
}

/** A session as its person sees it. `device`: null if the browser did not identify itself. */
export type ListedSession = Pick<StoredSession, 'handle' | 'device' | 'created_at' | 'last_seen_at'> & {
  is_current: boolean;
};

/** Lists the live sessions of a person, the current one first, then by their latest request. */
export function listSessions(tx: Tx, profileId: string, current: Buffer): Promise<ListedSession[]> {
  return many<ListedSession>(
    tx,
    `SELECT handle, device, created_at, last_seen_at, id_hash = $3 AS is_current FROM sessions s
     WHERE profile_id = $1 AND s.expires_at > now() AND s.last_seen_at > now() - $2 * interval '1 hour'
       ORDER BY is_current DESC, last_seen_at DESC, created_at DESC`,
    [profileId, IDLE_HOURS, current],
  );
}

/** Ends a session of a person. Does nothing if it has already ended. */
export async function deletePersonSession(tx: Tx, profileId: string, handle: string): Promise<void> {
  await tx.delete(StoredSession, { profile_id: profileId, handle });
}

/** Ends all sessions of a person except one. */
export async function deleteOtherSessions(tx: Tx, profileId: string, except: Buffer): Promise<void> {
  await execute(tx, `DELETE FROM sessions WHERE profile_id = $1 AND id_hash <> $2`, [profileId, except]);
}

/** Ends all sessions of a person. */
export async function deletePersonSessions(tx: Tx, profileId: string): Promise<void> {
  await tx.delete(StoredSession, { profile_id: profileId });
}

import type { DataSource } from 'typeorm';
import { affected, execute, maybeOne } from '../../db/query.js';
import { SsoLogin } from '../../db/entities/single-sign-on.js';
import { transaction } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import { LOGIN_MINUTES } from '../../domain/single-sign-on/providers.js';

/** Stores a sign-in that begins at a provider, and deletes those of earlier days. */
export const insertLogin = (
  db: DataSource,
  login: Omit<SsoLogin, 'answer' | 'created_at' | 'used_at'>,
): Promise<void> =>
  transaction(db, async (tx) => {
    await execute(tx, `DELETE FROM sso_logins WHERE created_at < now() - interval '1 day'`);
    await execute(
      tx,
      `UPDATE sso_logins SET answer = NULL
        WHERE answer IS NOT NULL AND created_at < now() - make_interval(mins => $1)`,
      [LOGIN_MINUTES],
    );
    await tx.insert(SsoLogin, login);
  });

/**
 * Stores what a provider's form has sent until the browser that began the sign-in shows its cookie. Returns
 * the id of the sign-in; null if there is no open one, or it already has an answer.
 */
export const keepAnswer = (
  db: DataSource,
  workspaceId: string,
  stateHash: Buffer,
  encrypt: (loginId: string) => Buffer,
): Promise<string | null> =>
  transaction(db, async (tx) => {
    const login = await maybeOne<{ id: string }>(
      tx,
      `SELECT id FROM sso_logins l WHERE state_hash = $1 AND workspace_id = $2 AND answer IS NULL
         AND used_at IS NULL AND created_at > now() - make_interval(mins => $3)
         AND (EXISTS (SELECT FROM sso_connections c WHERE c.workspace_id = l.workspace_id
           AND c.provider ->> 'protocol' = 'saml')
           OR EXISTS (SELECT FROM sso_candidates c WHERE c.workspace_id = l.workspace_id
             AND c.provider ->> 'protocol' = 'saml'))
       FOR UPDATE`,
      [stateHash, workspaceId, LOGIN_MINUTES],
    );
    if (login) await tx.update(SsoLogin, { id: login.id }, { answer: encrypt(login.id) });
    return login?.id ?? null;
  });

/**
 * Identifies the sign-in that an answer is for: by the state that came back with it, or by the id under which
 * the answer is stored.
 */
export type LoginKey = { state_hash: Buffer } | { id: string };

/**
 * Ends a sign-in, once and only in the browser that began it. Otherwise returns why not: it has already
 * ended, it has expired, another browser began it, or it is unknown.
 */
export const takeLogin = (
  db: DataSource,
  workspaceId: string,
  key: LoginKey,
  browserHash: Buffer | null,
): Promise<SsoLogin | 'replayed' | 'login_expired' | 'other_browser' | 'unsolicited'> =>
  transaction(db, async (tx) => {
    const login = await maybeOne<SsoLogin & { open: boolean }>(
      tx,
      `SELECT *, used_at IS NULL AND created_at > now() - make_interval(mins => $4) AS open FROM sso_logins
       WHERE (id = $1 OR state_hash = $3) AND workspace_id = $2 FOR UPDATE`,
      ['id' in key ? key.id : null, workspaceId, 'id' in key ? null : key.state_hash, LOGIN_MINUTES],
    );
    if (!login) return 'unsolicited';
    if (!browserHash?.equals(login.browser_hash)) return 'other_browser';
    if (login.used_at) return 'replayed';
    if (!login.open) return 'login_expired';
    const end = `UPDATE sso_logins SET used_at = now(), answer = NULL WHERE id = $1`;
    await affected(tx, end, [login.id]);
    return login;
  });

/** Records in the audit log that a person was not admitted, and why. */
export const recordRefusal = (
  db: DataSource,
  workspace_id: string,
  details: Record<string, unknown>,
): Promise<void> =>
  transaction(db, (tx) =>
    audit(tx, { workspace_id, system: 'sso' }, { action: 'sso.refused', object: workspace_id, details }),
  );

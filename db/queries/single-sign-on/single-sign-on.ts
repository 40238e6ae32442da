import { addressKey } from '../../address.js';
import type { Member } from '../../entities/members.js';
import type { SsoCandidate, SsoConnection } from '../../entities/single-sign-on.js';
import { exists, many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** Returns the encryption context of a provider's client secret. */
export const ssoSecretContext = (workspaceId: string): string => `sso-secret:${workspaceId}`;

/** Returns the encryption context of our own SAML key. */
export const ssoKeyContext = (workspaceId: string): string => `sso-key:${workspaceId}`;

/** Returns the encryption context of the secrets and the answer of a sign-in. */
export const ssoLoginContext = (loginId: string): string => `sso-login:${loginId}`;

/** A workspace's sign-in page and provider. */
export type SignInPage = SsoConnection & {
  workspace_name: string;
  /** The name of the page at `/sign-in/{name}`. */
  sign_in_name: string;
};

/**
 * Returns the sign-in page with a name, of a workspace whose single sign-on is enabled; null if there is
 * none.
 */
export const findSignInPage = (tx: Tx, name: string): Promise<SignInPage | null> =>
  maybeOne<SignInPage>(
    tx,
    `SELECT c.*, w.name AS workspace_name, n.name AS sign_in_name
    FROM sso_connections c JOIN workspaces w ON w.id = c.workspace_id
      JOIN sign_in_names n ON n.workspace_id = c.workspace_id AND n.left_at IS NULL WHERE n.name = $1
        AND c.enabled`,
    [name],
  );

/** Does the same by the workspace. */
export const findWorkspaceSignInPage = (tx: Tx, workspaceId: string): Promise<SignInPage | null> =>
  maybeOne<SignInPage>(
    tx,
    `SELECT c.*, w.name AS workspace_name, n.name AS sign_in_name
    FROM sso_connections c JOIN workspaces w ON w.id = c.workspace_id
      JOIN sign_in_names n ON n.workspace_id = c.workspace_id AND n.left_at IS NULL WHERE c.workspace_id = $1
        AND c.enabled`,
    [workspaceId],
  );

/** Does the same, and locks it against changes until the transaction ends. */
export const lockSignInPage = (tx: Tx, workspaceId: string): Promise<SignInPage | null> =>
  maybeOne<SignInPage>(
    tx,
    `SELECT c.*, w.name AS workspace_name, n.name AS sign_in_name
    FROM sso_connections c JOIN workspaces w ON w.id = c.workspace_id
      JOIN sign_in_names n ON n.workspace_id = c.workspace_id AND n.left_at IS NULL WHERE c.workspace_id = $1
        AND c.enabled FOR SHARE OF c`,
    [workspaceId],
  );

export interface MemberOfAddress extends Pick<Member, 'id' | 'status'> {
  name: string;
}

/**
 * Returns the member of a workspace with an email address in any spelling, including one who has left; null
 * if there is none.
 */
export const findMemberOfAddress = (
  tx: Tx,
  workspaceId: string,
  email: string,
): Promise<MemberOfAddress | null> =>
  maybeOne<MemberOfAddress>(
    tx,
    `SELECT m.id, m.name, m.status FROM members m JOIN profiles p ON p.id = m.profile_id
     WHERE m.workspace_id = $1 AND lower(p.email) = $2 AND m.status <> 'deleted'`,
    [workspaceId, addressKey(email)],
  );

/** Returns a workspace's provider, including one that is switched off; null if none was saved. */
export const findSsoConnection = (tx: Tx, workspaceId: string): Promise<SsoConnection | null> =>
  maybeOne<SsoConnection>(tx, `SELECT * FROM sso_connections WHERE workspace_id = $1`, [workspaceId]);

/**
 * Returns the settings of a workspace that wait for a test; with `id` only if they have this id; null if
 * there are none.
 */
export const findSsoCandidate = (tx: Tx, workspaceId: string, id?: string): Promise<SsoCandidate | null> =>
  maybeOne<SsoCandidate>(
    tx,
    `SELECT * FROM sso_candidates WHERE workspace_id = $1 AND ($2::text IS NULL OR id = $2)`,
    [workspaceId, id ?? null],
  );

/** Returns whether a provider's subject is bound to a member. */
export const hasSsoSubject = (tx: Tx, memberId: string): Promise<boolean> =>
  exists(tx, `SELECT FROM sso_subjects WHERE member_id = $1`, [memberId]);

export interface WorkspaceCertificates {
  workspace_id: string;
  time_zone: string;
  tested_at: Date;
  certificates: string[];
}

/**
 * Returns a page of workspaces with an enabled SAML provider, by id. `after`: the last id of the previous
 * page.
 */
export const listCertificates = (
  tx: Tx,
  { workspaceId, after, limit }: { workspaceId?: string; after: string; limit: number },
): Promise<WorkspaceCertificates[]> =>
  many<WorkspaceCertificates>(
    tx,
    `SELECT c.workspace_id, w.time_zone, c.tested_at, c.provider -> 'certificates' AS certificates
     FROM sso_connections c JOIN workspaces w ON w.id = c.workspace_id
     WHERE c.enabled AND c.provider ->> 'protocol' = 'saml' AND c.workspace_id > $1
       AND ($2::text IS NULL OR c.workspace_id = $2)
     ORDER BY c.workspace_id LIMIT $3`,
    [after, workspaceId ?? null, limit],
  );

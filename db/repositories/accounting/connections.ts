import type { Tx } from '../../transaction.js';
import { auditEdit } from '../workspaces/audit.js';
import { ApiError } from '../../../domain/errors.js';
import { presentAccounting } from '../../../domain/presenters/workspace.js';

/** A workspace's connection to an organisation's books; the tokens are encrypted. */
export interface AccountingConnection {
  workspace_id: string;
  enabled: boolean;
  status: 'active' | 'revoked';
  tenant_id: string;
  organisation: string;
  access_token: Buffer;
  refresh_token: Buffer;
  access_expires_at: Date;
  connected_at: Date;
}

/** A connection by its tokens: they are others when it is made anew. */
type ConnectionTokens = Pick<AccountingConnection, 'workspace_id' | 'refresh_token'>;

/** A workspace's connection, or null. */
export async function findConnection(tx: Tx, workspaceId: string): Promise<AccountingConnection | null> {
  const rows = await tx.query(`SELECT * FROM accounting_connections WHERE workspace_id = $1`, [workspaceId]);
  return rows[0] ?? null;
}

/** The connection, locked until the transaction ends. */
async function lockConnection(tx: Tx, workspaceId: string): Promise<AccountingConnection | null> {
  const rows = await tx.query(
    `SELECT * FROM accounting_connections WHERE workspace_id = $1 FOR NO KEY UPDATE`,
    [workspaceId],
  );
  return rows[0] ?? null;
}

export interface Tokens {
  access_token: Buffer;
  refresh_token: Buffer;
  access_expires_at: Date;
}

/**
 * Takes the turn to refresh a connection's tokens, for some seconds: a refresh token is good for one use. False where
 * somebody else has it. Who dies in between has lost nothing: the old token stays good for a while.
 */
export async function takeRefreshTurn(
  tx: Tx,
  { workspace_id, refresh_token }: ConnectionTokens,
): Promise<boolean> {
  const [, taken]: [unknown, number] = await tx.query(
    `UPDATE accounting_connections SET refreshing_until = now() + interval '15 seconds'
     WHERE workspace_id = $1 AND refresh_token = $2 AND (refreshing_until IS NULL OR refreshing_until < now())`,
    [workspace_id, refresh_token],
  );
  return taken > 0;
}

/** Gives the turn back, after a refresh that failed. */
export async function endRefreshTurn(tx: Tx, workspaceId: string): Promise<void> {
  await tx.query(`UPDATE accounting_connections SET refreshing_until = NULL WHERE workspace_id = $1`, [
    workspaceId,
  ]);
}

/** The access token was not taken, though its time is not over: the next call refreshes it. */
export async function expireAccessToken(tx: Tx, workspaceId: string, accessToken: Buffer): Promise<void> {
  await tx.query(
    `UPDATE accounting_connections SET access_expires_at = now() WHERE workspace_id = $1 AND access_token = $2`,
    [workspaceId, accessToken],
  );
}

/** Keeps refreshed tokens, unless the workspace was connected anew in the meantime. */
export async function saveTokens(tx: Tx, before: ConnectionTokens, tokens: Tokens): Promise<void> {
  await tx.query(
    `UPDATE accounting_connections
     SET access_token = $2, refresh_token = $3, access_expires_at = $4, refreshing_until = NULL
     WHERE workspace_id = $1 AND refresh_token = $5`,
    [
      before.workspace_id,
      tokens.access_token,
      tokens.refresh_token,
      tokens.access_expires_at,
      before.refresh_token,
    ],
  );
}

/**
 * Connects a workspace to an organisation, or connects it again; what waited for the books goes there now. The books
 * stay one organisation's: numbers and payments are there. Errors: 409 `accounting_organisation_taken`.
 */
export async function connect(
  tx: Tx,
  connection: Tokens & { workspace_id: string; tenant_id: string; organisation: string },
): Promise<void> {
  const { workspace_id: id, tenant_id } = connection;
  const before = await lockConnection(tx, id);
  if (before && before.tenant_id !== tenant_id) {
    const message = `This workspace's books are those of ${before.organisation}. Connect that organisation.`;
    throw new ApiError('accounting_organisation_taken', message);
  }
  await tx.query(
    `INSERT INTO accounting_connections AS c (workspace_id, status, tenant_id, organisation, access_token,
                                              refresh_token, access_expires_at, connected_at)
     VALUES ($1, 'active', $2, $3, $4, $5, $6, now())
     ON CONFLICT (workspace_id) DO UPDATE SET status = 'active', organisation = excluded.organisation,
       access_token = excluded.access_token, refresh_token = excluded.refresh_token,
       access_expires_at = excluded.access_expires_at, connected_at = now()`,
    [
      id,
      tenant_id,
      connection.organisation,
      connection.access_token,
      connection.refresh_token,
      connection.access_expires_at,
    ],
  );
  await tx.query(`UPDATE accounting_due SET woken_at = NULL, version = version + 1 WHERE workspace_id = $1`, [
    id,
  ]);
  await auditConnection(tx, id, before);
}

/**
 * Notes that the organisation has taken the consent back that these tokens came from. A connection with others was
 * made since, and stands.
 */
export async function revokeConnection(tx: Tx, failed: ConnectionTokens): Promise<void> {
  const { workspace_id: workspaceId, refresh_token } = failed;
  const before = await lockConnection(tx, workspaceId);
  if (before?.status !== 'active' || !before.refresh_token.equals(refresh_token)) return;
  await tx.query(`UPDATE accounting_connections SET status = 'revoked' WHERE workspace_id = $1`, [
    workspaceId,
  ]);
  await auditConnection(tx, workspaceId, before);
}

async function auditConnection(tx: Tx, id: string, before: AccountingConnection | null): Promise<void> {
  await auditEdit(
    tx,
    { workspace_id: id, system: 'accounting' },
    {
      action: 'workspace.updated',
      object: id,
      before: { accounting: presentAccounting(before) },
      after: { accounting: presentAccounting(await findConnection(tx, id)) },
    },
  );
}

/** Turns a connection's use on or off. Returns false where there is none. */
export async function enableConnection(tx: Tx, workspaceId: string, enabled: boolean): Promise<boolean> {
  const [, changed]: [unknown, number] = await tx.query(
    `UPDATE accounting_connections SET enabled = $2 WHERE workspace_id = $1`,
    [workspaceId, enabled],
  );
  return changed > 0;
}

/** The workspaces whose books are kept, one or all. */
export async function listConnectedWorkspaces(tx: Tx, workspaceId: string | undefined): Promise<string[]> {
  const rows: { workspace_id: string }[] = await tx.query(
    `SELECT workspace_id FROM accounting_connections
     WHERE enabled AND status = 'active' AND ($1::text IS NULL OR workspace_id = $1) ORDER BY workspace_id`,
    [workspaceId ?? null],
  );
  return rows.map((row) => row.workspace_id);
}

/** A person's way to the consent page and back; what is secret in it is encrypted. */
export interface Consent {
  id: string;
  workspace_id: string;
  nonce: string;
  verifier: Buffer;
  url: string;
  /** The query that the person came back with. */
  answer: Buffer | null;
}

/** Stores a consent that somebody is about to be asked for. Asking again for the same one changes nothing. */
export async function insertConsent(
  tx: Tx,
  consent: Omit<Consent, 'answer'> & { state_hash: Buffer },
): Promise<void> {
  await tx.query(
    `INSERT INTO accounting_consents (id, workspace_id, state_hash, nonce, verifier, url)
     VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
    [consent.id, consent.workspace_id, consent.state_hash, consent.nonce, consent.verifier, consent.url],
  );
}

/** A consent by its id, or by the hash of the state that came back. */
export async function findConsent(
  tx: Tx,
  by: { id: string } | { state_hash: Buffer },
): Promise<Consent | null> {
  const [[column, value]] = Object.entries(by) as [[string, unknown]];
  const rows = await tx.query(`SELECT * FROM accounting_consents WHERE ${column} = $1`, [value]);
  return rows[0] ?? null;
}

/** Keeps what a person came back with; the first time counts. */
export async function answerConsent(tx: Tx, id: string, answer: Buffer): Promise<void> {
  await tx.query(`UPDATE accounting_consents SET answer = coalesce(answer, $2) WHERE id = $1`, [id, answer]);
}

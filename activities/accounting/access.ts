import type { DataSource } from 'typeorm';
import type { AccountingConnection } from '../../db/entities/accounting.js';
import { findConnection } from '../../db/queries/accounting/connection.js';
import {
  endRefreshTurn,
  expireAccessToken,
  limitConnection,
  revokeConnection,
  saveTokens,
  takeRefreshTurn,
} from '../../commands/accounting/connections.js';
import type { Encryption } from '../../db/encryption.js';
import { transaction } from '../../db/transaction.js';
import { MINUTE_MS } from '../../domain/durations.js';
import { failures, isDisconnected } from '../failures.js';
import type { AccountingAccess, AccountingConsent, AccountingTokens } from '../gateways/accounting.js';

/** An access token that expires within this time is refreshed before use. */
const MARGIN_MS = MINUTE_MS;

/** Encrypts tokens for a workspace's row. */
export function encryptTokens(encryption: Encryption, workspaceId: string, tokens: AccountingTokens) {
  const seal = (token: string): Buffer => encryption.encrypt(token, encryptionContext(workspaceId));
  return {
    access_token: seal(tokens.access_token),
    refresh_token: seal(tokens.refresh_token),
    access_expires_at: tokens.access_expires_at,
  };
}

const encryptionContext = (workspaceId: string): string => `accounting-token:${workspaceId}`;

/**
 * Provides access tokens of the workspaces' connections. They are stored encrypted and refreshed before they
 * expire (docs/rules/accounting.md#connection).
 */
export function createAccountingAccess({
  db,
  encryption,
  consent,
}: {
  db: DataSource;
  encryption: Encryption;
  consent: AccountingConsent;
}): AccountingAccess {
  const open = (workspaceId: string, sealed: Buffer): string =>
    encryption.decrypt(sealed, encryptionContext(workspaceId));

  const revoke = (connection: AccountingConnection): Promise<void> =>
    transaction(db, (tx) => revokeConnection(tx, connection));

  /** Returns the connection if this is still its access token, otherwise null. */
  async function findTokenConnection(
    workspaceId: string,
    accessToken: string,
  ): Promise<AccountingConnection | null> {
    const connection = await findConnection(db.manager, workspaceId);
    return connection && open(workspaceId, connection.access_token) === accessToken ? connection : null;
  }

  async function refresh(connection: AccountingConnection): Promise<string> {
    const { workspace_id } = connection;
    if (!(await takeRefreshTurn(db.manager, connection)))
      throw failures.accountingUnavailable('the token is being refreshed', '1 second');
    try {
      const tokens = await consent.refresh(open(workspace_id, connection.refresh_token));
      await saveTokens(db.manager, connection, encryptTokens(encryption, workspace_id, tokens));
      return tokens.access_token;
    } catch (error) {
      await endRefreshTurn(db.manager, workspace_id);
      if (isDisconnected(error)) await revoke(connection);
      throw error;
    }
  }

  return {
    async token(workspaceId) {
      const connection = await findConnection(db.manager, workspaceId);
      if (connection?.status !== 'active') throw failures.accountingDisconnected('not connected');
      const fresh = connection.access_expires_at.getTime() > Date.now() + MARGIN_MS;
      const accessToken = fresh ? open(workspaceId, connection.access_token) : await refresh(connection);
      return { accessToken, tenantId: connection.tenant_id, limitedUntil: connection.limited_until };
    },

    async refused(workspaceId, accessToken) {
      const connection = await findTokenConnection(workspaceId, accessToken);
      if (connection) await expireAccessToken(db.manager, connection);
    },

    async isDisconnected(workspaceId, accessToken) {
      const connection = await findTokenConnection(workspaceId, accessToken);
      if (!connection) return false;
      const connected = await consent.isConnected(accessToken, connection.tenant_id);
      // The next call refreshes a token that is no longer accepted, and learns more.
      if (connected === null) await expireAccessToken(db.manager, connection);
      if (connected === null) throw failures.accountingUnavailable('the access token was not accepted');
      if (!connected) await revoke(connection);
      return !connected;
    },

    async limited(workspaceId, seconds) {
      await limitConnection(db.manager, workspaceId, new Date(Date.now() + seconds * 1000));
    },
  };
}

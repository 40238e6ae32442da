import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import {
  endAccessToken,
  findAccessToken,
  insertAccessToken,
  revokeGrant,
} from '../../commands/applications/tokens.js';
import { readToken } from '../../api/http/tokens.js';
import { epoch } from './epoch.js';

/** Access tokens are bearer tokens of the API and stored in its tables. */
export class AccessTokenAdapter implements Adapter {
  constructor(private readonly db: DataSource) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const stored = await insertAccessToken(this.db, {
      record: readToken(id)!,
      client_id: payload.clientId!,
      member_id: payload.accountId!,
      grant_id: payload.grantId!,
      scopes: payload.scope?.split(' ') ?? [],
      expires_in: expiresIn,
    });
    if (!stored) throw new errors.InvalidGrant('the grant has been revoked');
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const record = readToken(id);
    const token = record && (await findAccessToken(this.db.manager, record.hash));
    if (!token) return undefined;
    return {
      kind: 'AccessToken',
      jti: id,
      iat: epoch(token.created_at),
      exp: epoch(token.ends_at),
      clientId: token.client_id,
      accountId: token.member_id,
      grantId: token.grant_id,
      scope: token.scopes.join(' '),
    };
  }

  async destroy(id: string): Promise<void> {
    const record = readToken(id);
    if (record) await endAccessToken(this.db.manager, record.hash);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    // The library revokes a grant at the client's request, and otherwise when a code or token is reused.
    const byClient = Provider.ctx?.oidc.route === 'revocation';
    const reason = byClient ? 'revoked_by_client' : 'reuse_detected';
    await revokeGrant(this.db, grantId, reason);
  }

  async consume(): Promise<void> {}

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}
}

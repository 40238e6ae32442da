import { errors, Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import {
  consumeArtifact,
  deleteArtifact,
  deleteArtifactsOfGrant,
  deleteExpiredArtifacts,
  findArtifact,
  upsertArtifact,
} from '../../db/repositories/access/oauth-artifacts.js';
import { findOauthClient, type OauthClient } from '../../db/repositories/access/oauth-clients.js';
import {
  endAccessToken,
  findAccessToken,
  insertAccessToken,
  revokeGrant,
} from '../../db/repositories/access/oauth-tokens.js';
import { transaction } from '../../db/transaction.js';
import { readToken } from '../http/tokens.js';
import { hashSecret } from '../sign-in/secrets.js';

/**
 * How long a used refresh token is accepted again, for a client that has lost the response. It gets the same successor
 * (`provider.ts`), so the chain of tokens never branches. Later use counts as reuse.
 */
const LEEWAY_SECONDS = 60;

const epoch = (at: Date): number => Math.floor(at.getTime() / 1000);
const isStorable = (id: string): boolean => !id.includes('\0');

/** oidc-provider's storage in Postgres. It stores digests of the secrets that clients and browsers hold. */
class ArtifactAdapter implements Adapter {
  constructor(
    private readonly model: string,
    private readonly db: DataSource,
  ) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const { jti: _, ...stored } = payload;
    if (this.model === 'Interaction') await deleteExpiredArtifacts(this.db.manager);
    const artifact = {
      model: this.model,
      id_hash: hashSecret(id),
      client_id: stored.clientId ?? null,
      grant_id: stored.grantId ?? null,
      payload: stored,
      expires_in: expiresIn,
    };
    await upsertArtifact(this.db.manager, artifact, { keep: this.model === 'RefreshToken' });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const artifact = await findArtifact(this.db.manager, this.model, hashSecret(id));
    if (!artifact) return undefined;
    const { payload, consumed_at, consumed_seconds } = artifact;
    const isRetry =
      this.model === 'RefreshToken' && consumed_seconds !== null && consumed_seconds < LEEWAY_SECONDS;
    return { ...payload, jti: id, ...(consumed_at && !isRetry && { consumed: epoch(consumed_at) }) };
  }

  async consume(id: string): Promise<void> {
    const first = await consumeArtifact(this.db.manager, this.model, hashSecret(id));
    if (!first && this.model === 'AuthorizationCode')
      throw new errors.InvalidGrant('authorization code already consumed');
  }

  async destroy(id: string): Promise<void> {
    await deleteArtifact(this.db.manager, this.model, hashSecret(id));
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await deleteArtifactsOfGrant(this.db.manager, this.model, grantId);
  }

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}
}

/** Access tokens are bearer tokens of the API and stored in its tables. */
class AccessTokenAdapter implements Adapter {
  constructor(private readonly db: DataSource) {}

  async upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void> {
    const stored = await transaction(this.db, (tx) =>
      insertAccessToken(tx, {
        record: readToken(id)!,
        client_id: payload.clientId!,
        member_id: payload.accountId!,
        grant_id: payload.grantId!,
        scopes: payload.scope?.split(' ') ?? [],
        expires_in: expiresIn,
      }),
    );
    if (!stored) throw new errors.InvalidGrant('the grant was revoked');
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
    await transaction(this.db, (tx) => revokeGrant(tx, grantId, reason));
  }

  async consume(): Promise<void> {}

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}
}

/** A client as oidc-provider describes it. The secret is a digest, which `compareClientSecret` takes into account. */
function clientMetadata(client: OauthClient): AdapterPayload {
  const isWeb = client.redirect_uris.every((uri) => /^https?:/.test(uri));
  // A confidential client may send its secret either way.
  const byHeader = Provider.ctx?.get('authorization').startsWith('Basic ');
  const method = byHeader ? 'client_secret_basic' : 'client_secret_post';
  return {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: isWeb ? 'web' : 'native',
    // The algorithm of the unused key in provider.ts.
    id_token_signed_response_alg: 'ES256',
    token_endpoint_auth_method: client.secret_hash ? method : 'none',
    ...(client.secret_hash && { client_secret: client.secret_hash.toString('hex') }),
  } as AdapterPayload;
}

/** Clients are registered through the API, not through the authorization server. */
class ClientAdapter implements Adapter {
  constructor(private readonly db: DataSource) {}

  async find(id: string): Promise<AdapterPayload | undefined> {
    const client = isStorable(id) ? await findOauthClient(this.db.manager, id) : null;
    return client ? clientMetadata(client) : undefined;
  }

  async upsert(): Promise<void> {}

  async consume(): Promise<void> {}

  async destroy(): Promise<void> {}

  async revokeByGrantId(): Promise<void> {}

  async findByUid(): Promise<undefined> {}

  async findByUserCode(): Promise<undefined> {}
}

/** Returns oidc-provider's adapter for a model. */
export function adapterFor(db: DataSource): (model: string) => Adapter {
  return (model) => {
    if (model === 'AccessToken') return new AccessTokenAdapter(db);
    if (model === 'Client') return new ClientAdapter(db);
    return new ArtifactAdapter(model, db);
  };
}

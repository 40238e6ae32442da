import { errors, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import {
  consumeArtifact,
  deleteArtifact,
  deleteArtifactsOfGrant,
  deleteExpiredArtifacts,
  findArtifact,
  upsertArtifact,
} from '../../commands/applications/artifacts.js';
import { hashSecret } from '../../db/secrets.js';
import { AccessTokenAdapter } from './access-token-adapter.js';
import { ClientAdapter } from './client-adapter.js';
import { epoch } from './epoch.js';

/**
 * How long a used refresh token is accepted again, for a client that lost the response. The client gets the
 * same new token again (`provider.ts`), so the chain of tokens never branches. Later use counts as reuse.
 */
const LEEWAY_SECONDS = 60;

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
      throw new errors.InvalidGrant('the authorization code has already been used');
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

/** Returns oidc-provider's adapter for a model. */
export function adapterFor(db: DataSource): (model: string) => Adapter {
  return (model) => {
    if (model === 'AccessToken') return new AccessTokenAdapter(db);
    if (model === 'Client') return new ClientAdapter(db);
    return new ArtifactAdapter(model, db);
  };
}

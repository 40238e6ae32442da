import { Provider, type Adapter, type AdapterPayload } from 'oidc-provider';
import type { DataSource } from 'typeorm';
import { findOauthClient, type OauthClient } from '../../commands/applications/clients.js';

const isStorable = (id: string): boolean => !id.includes('\0');

/**
 * A client as oidc-provider describes it. The secret is a digest, which
 * `compareClientSecret` takes into account.
 */
function clientMetadata(client: OauthClient): AdapterPayload {
  // A native application: redirects to the loopback interface match at any port (RFC 8252, 7.3).
  const isNative = client.redirect_uris.some((uri) => !uri.startsWith('https:'));
  // Confidential clients may send their secret in either way.
  const byHeader = Provider.ctx?.get('authorization').startsWith('Basic ');
  const method = byHeader ? 'client_secret_basic' : 'client_secret_post';
  return {
    client_id: client.id,
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: isNative ? 'native' : 'web',
    // Matches the unused key in provider.ts.
    id_token_signed_response_alg: 'ES256',
    token_endpoint_auth_method: client.secret_hash ? method : 'none',
    ...(client.secret_hash && { client_secret: client.secret_hash.toString('hex') }),
  } as AdapterPayload;
}

/** Clients are registered through the API, not through the authorization server. */
export class ClientAdapter implements Adapter {
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

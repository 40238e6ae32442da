import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { dev } from './stack.js';

/** A person at an identity provider. */
export interface Account {
  sub: string;
  email?: string;
  email_verified?: unknown;
  name?: string;
}

const KEY = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
  alg: 'RS256',
  kid: 'house',
};

/** An OpenID Connect provider at which somebody is always signed in. */
export interface TestOidcProvider {
  issuer: string;
  /** Who signs in next. */
  account: Account;
  /** Called before it identifies the person. */
  beforeClaims?: () => Promise<unknown>;
  stop(): void;
}

/**
 * Starts a real provider, on another site than the service's `127.0.0.1`, with this service as a workspace's
 * client. It signs `account` in without asking. `client`: how the service authenticates there.
 */
export async function startOidcProvider(
  t: { teardown(close: () => unknown): void },
  workspaceId: string,
  account: Account,
  client: Record<string, unknown> = { token_endpoint_auth_method: 'none' },
): Promise<TestOidcProvider> {
  const server = createServer();
  await once(server.listen(0, 'localhost'), 'listening');
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  const identityProvider: TestOidcProvider = { issuer, account, stop: () => server.close() };
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: 'holdfast',
        redirect_uris: [`${dev.baseUrl}/sso/${workspaceId}/callback`],
        application_type: 'native',
        ...client,
      },
    ],
    jwks: { keys: [KEY] as never },
    cookies: { keys: ['secret'] },
    pkce: { required: () => true },
    claims: { email: ['email', 'email_verified'], profile: ['name'], openid: ['sub'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: async (_, sub) => ({
      accountId: sub,
      claims: async () => {
        await identityProvider.beforeClaims?.();
        return identityProvider.account as Account & Record<string, unknown>;
      },
    }),
  });
  server.on('request', async (request, response) => {
    if (!request.url!.startsWith('/interaction/')) return provider.callback()(request, response);
    const { params } = await provider.interactionDetails(request, response);
    const accountId = identityProvider.account.sub;
    const grant = new provider.Grant({ accountId, clientId: String(params.client_id) });
    grant.addOIDCScope(String(params.scope));
    const result = { login: { accountId }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result);
  });
  return identityProvider;
}

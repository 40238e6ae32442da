import { createHmac, generateKeyPairSync } from 'node:crypto';
import { errors, Provider, type Client, type JWK } from 'oidc-provider';
import { isLiveMember, REFRESH_TOKEN_SECONDS } from '../../commands/applications/tokens.js';
import { DAY_SECONDS, HOUR_SECONDS } from '../../domain/durations.js';
import { SCOPES } from '../../domain/api-keys/key-scope.js';
import { isOfSites, toSites } from '../../domain/applications/redirect-uri.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { mintToken } from '../../api/http/tokens.js';
import { showRefusal } from './refusal.js';
import { hashSecret } from '../../db/secrets.js';
import { adapterFor } from './adapter.js';
import { AUTHORIZE_PATH, CONSENT_PATH, REVOKE_PATH, SESSION_COOKIE, TOKEN_PATH } from './paths.js';
import { readScopes } from '../ui/scopes.js';

/**
 * Lifetimes in seconds (docs/rules/credentials.md#oauth). A grant lasts as long as its
 * refresh tokens are renewed.
 */
const TTL = {
  AuthorizationCode: 60,
  AccessToken: 30 * DAY_SECONDS,
  RefreshToken: REFRESH_TOKEN_SECONDS,
  Grant: 3_650 * DAY_SECONDS,
  Interaction: HOUR_SECONDS,
  Session: 600,
};

/** The library requires a key although nothing is signed. */
function unusedKey(): JWK {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' }) as JWK;
}

type Deps = Pick<ApiDependencies, 'db' | 'encryption' | 'publicUrl' | 'log' | 'trustedProxies'>;

/**
 * The authorization server (docs/rules/credentials.md#oauth): authorization code with PKCE, access tokens
 * that are bearer tokens of the API, and rotating refresh tokens.
 */
export function createProvider({ db, encryption, publicUrl, log, trustedProxies }: Deps): Provider {
  const provider = new Provider(publicUrl, {
    adapter: adapterFor(db),
    routes: { authorization: AUTHORIZE_PATH, token: TOKEN_PATH, revocation: REVOKE_PATH },
    scopes: [...SCOPES],
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    pkce: { required: () => true },
    ttl: TTL,
    rotateRefreshToken: true,
    issueRefreshToken: async () => true,
    expiresWithSession: async () => false,
    formats: { bitsOfOpaqueRandomness: 256 },
    jwks: { keys: [unusedKey()] },
    cookies: {
      keys: encryption.deriveKeys('oauth cookies').map((key) => key.toString('base64')),
      names: { session: SESSION_COOKIE, interaction: 'holdfast_consent', resume: 'holdfast_resume' },
      short: { sameSite: 'lax', httpOnly: true, signed: true },
      long: { sameSite: 'lax', httpOnly: true, signed: true },
    },
    interactions: {
      url: (ctx, { uid }) => {
        // The library silently drops unknown scopes.
        const requested = String(ctx.query.scope ?? '');
        if (!readScopes(requested))
          throw new errors.InvalidScope('request at least one scope, and only scopes of this API', requested);
        return `${CONSENT_PATH}/${uid}`;
      },
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: { enabled: false },
      revocation: { enabled: true, allowedPolicy: (_, client, token) => token.clientId === client.clientId },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
    },
    findAccount: async (_, sub) =>
      (await isLiveMember(db.manager, sub)) ? { accountId: sub, claims: () => ({ sub }) } : undefined,
    // CORS: an application in a browser calls from the origin of one of its redirect URIs.
    clientBasedCORS: (_, origin, client) => isOfSites(toSites(client.redirectUris ?? []), origin),
    renderError: (ctx, { error, error_description }) =>
      showRefusal(ctx as unknown as ApiContext, error, error_description),
  });
  provider.proxy = trustedProxies > 0;
  provider.maxIpsCount = trustedProxies;
  provider.on('server_error', (_, err) => log.error({ err }, 'the authorization server failed'));
  overrideModels(provider, encryption.deriveKeys('oauth refresh tokens')[0]);
  return provider;
}

/** Overrides how the library generates and compares secrets, for which it has no settings. */
function overrideModels(provider: Provider, rotationKey: Buffer): void {
  // The library makes token ids random. A successor is derived from its predecessor instead, so concurrent
  // requests and retries get the same token.
  const refreshTokens = provider.RefreshToken.prototype as unknown as { generateTokenId(): string };
  const random = refreshTokens.generateTokenId;
  refreshTokens.generateTokenId = function successor() {
    const before = (Provider.ctx?.oidc.entities as { RotatedRefreshToken?: { jti: string } } | undefined)
      ?.RotatedRefreshToken;
    return before
      ? createHmac('sha256', rotationKey).update(before.jti).digest('base64url')
      : random.call(this);
  };

  // Access tokens have the API's format, not the library's.
  const accessTokens = provider.AccessToken.prototype as unknown as { generateTokenId(): string };
  const opaque = accessTokens.generateTokenId;
  accessTokens.generateTokenId = function bearer() {
    // The library stores the token's format here.
    opaque.call(this);
    return mintToken().token;
  };

  // The library compares secrets in plain text, but only their digests are stored here. The method is meant
  // to be overridden: https://github.com/panva/node-oidc-provider/issues/631
  const clients = provider.Client.prototype as unknown as Pick<Client, 'compareClientSecret'>;
  const compareDigests = clients.compareClientSecret;
  clients.compareClientSecret = function compare(actual) {
    return compareDigests.call(this, hashSecret(actual).toString('hex'));
  };
}

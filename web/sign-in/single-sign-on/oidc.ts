import * as oauth from 'oauth4webapi';
import type { OidcProvider } from '../../../domain/single-sign-on/providers.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { SsoRefusal, type Identity } from './identity.js';

/** How far the clocks of the provider and of the service may differ. */
const SKEW_SECONDS = 60;

/** How long the addresses of a provider are used before they are read again. */
const DISCOVERED_MS = 10 * MINUTE_MS;
/** How many providers' addresses a process caches. */
const MAX_KNOWN = 100;

/** Values that start a sign-in, against which the response is checked. */
export interface OidcLogin {
  redirect_uri: string;
  state: string;
  nonce: string;
  verifier: string;
}

interface Known {
  server: oauth.AuthorizationServer;
  at: number;
  /** Keys of the provider. The library reads unknown ones again, at most once a minute. */
  keys: oauth.JWKSCacheInput;
}

/** Dependencies of requests to providers, and a cache by issuer. */
export type OidcClient = Pick<ApiDependencies, 'providerFetch' | 'allowPrivateWebhooks'> & {
  known: Map<string, Known>;
};

/** A client for the providers of all workspaces. */
export const createOidcClient = ({ providerFetch, allowPrivateWebhooks }: ApiDependencies): OidcClient => ({
  providerFetch,
  allowPrivateWebhooks,
  known: new Map(),
});

/** Options of each request to a provider. */
const requestOptions = ({ providerFetch, allowPrivateWebhooks }: OidcClient) => ({
  [oauth.customFetch]: (url: string, { method, headers, body }: RequestInit) =>
    providerFetch(url, {
      method,
      headers: headers as Record<string, string>,
      body: body ? String(body) : undefined,
    }),
  [oauth.allowInsecureRequests]: allowPrivateWebhooks,
});

/** The addresses of a provider. Errors: `provider_unavailable`, `wrong_issuer`, `malformed`. */
async function discover(deps: OidcClient, { issuer }: OidcProvider): Promise<Known> {
  const { known } = deps;
  const found = known.get(issuer);
  if (found && Date.now() - found.at < DISCOVERED_MS) return found;
  const url = new URL(issuer);
  const response = await oauth
    .discoveryRequest(url, { ...requestOptions(deps), algorithm: 'oidc' })
    .catch(unavailable);
  const server = await oauth.processDiscoveryResponse(url, response).catch((error: unknown) => {
    // The issuer template of a multi-tenant provider never matches a token's issuer.
    if (errorCode(error) === oauth.JSON_ATTRIBUTE_COMPARISON)
      throw new SsoRefusal('wrong_issuer', `the document of ${issuer} names another issuer`);
    throw new SsoRefusal('provider_unavailable', `${response.status} from its discovery document`);
  });
  if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!);
  const fresh: Known = {
    server: used(server),
    at: Date.now(),
    keys: found?.keys ?? ({} as oauth.JWKSCacheInput),
  };
  known.set(issuer, fresh);
  return fresh;
}

const USED = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'id_token_signing_alg_values_supported',
  'token_endpoint_auth_methods_supported',
  'authorization_response_iss_parameter_supported',
] as const;
/** The maximum length of one of these fields as JSON, in characters. */
const MAX_USED = 2_000;

/** The used fields of a discovery document, which can be large. */
const used = (server: oauth.AuthorizationServer): oauth.AuthorizationServer =>
  Object.fromEntries(
    USED.filter((name) => (JSON.stringify(server[name]) ?? '').length <= MAX_USED).map((name) => [
      name,
      server[name],
    ]),
  ) as unknown as oauth.AuthorizationServer;

const toOAuthClient = ({ client_id }: OidcProvider): oauth.Client => ({
  client_id,
  [oauth.clockTolerance]: SKEW_SECONDS,
});

/**
 * The provider's URL to which a browser is sent: code flow with PKCE. `proof`: the person must sign in again.
 * `dated`: the provider must report when they signed in. Errors: `SsoRefusal` if the provider does not
 * respond.
 */
export async function authorizationUrl(
  deps: OidcClient,
  provider: OidcProvider,
  { redirect_uri, state, nonce, verifier }: OidcLogin,
  { proof, dated = proof }: { proof: boolean; dated?: boolean },
): Promise<string> {
  const { server } = await discover(deps, provider);
  const schemes = deps.allowPrivateWebhooks ? ['https:', 'http:'] : ['https:'];
  const endpoint = server.authorization_endpoint ?? '';
  if (!URL.canParse(endpoint) || !schemes.includes(new URL(endpoint).protocol))
    throw new SsoRefusal('malformed', 'the discovery document has no authorization_endpoint by https');
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: provider.client_id,
    redirect_uri,
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    // With `max_age` providers say when the person signed in there.
    ...(dated && { max_age: '0' }),
    ...(proof && { prompt: 'login' }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/**
 * The identity in the provider's redirect. Also verifies the token's signature, which the library skips in
 * the code flow by default. Errors: `SsoRefusal`.
 */
export async function completeOidc(
  deps: OidcClient,
  provider: OidcProvider,
  clientSecret: string | null,
  answer: URLSearchParams,
  { redirect_uri, state, nonce, verifier }: OidcLogin,
): Promise<Identity> {
  const { server, keys } = await discover(deps, provider);
  const client = toOAuthClient(provider);
  const options = requestOptions(deps);
  try {
    const parameters = oauth.validateAuthResponse(server, client, answer, state);
    const response = await oauth
      .authorizationCodeGrantRequest(
        server,
        client,
        authentication(server, clientSecret),
        parameters,
        redirect_uri,
        verifier,
        options,
      )
      .catch(unavailable);
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, response, { ...options, [oauth.jwksCache]: keys });
    const claims = oauth.getValidatedIdTokenClaims(tokens)!;
    const source =
      typeof claims.email === 'string'
        ? claims
        : await userInfo(deps, server, client, tokens.access_token, claims.sub);
    return readOidcIdentity(claims, source);
  } catch (error) {
    throw toRefusal(error);
  }
}

/** The client authentication method that the provider supports. */
function authentication(server: oauth.AuthorizationServer, secret: string | null): oauth.ClientAuth {
  if (secret === null) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
}

/** The userinfo claims of the same subject; empty if the provider has no such endpoint. */
async function userInfo(
  deps: OidcClient,
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  accessToken: string,
  subject: string,
): Promise<Record<string, unknown>> {
  if (!server.userinfo_endpoint) return {};
  const response = await oauth
    .userInfoRequest(server, client, accessToken, requestOptions(deps))
    .catch(unavailable);
  return oauth.processUserInfoResponse(server, client, subject, response);
}

/** Reads verified claims. Errors: `email_not_verified`. */
function readOidcIdentity(claims: oauth.IDToken, source: Record<string, unknown>): Identity {
  const { email, email_verified } = source;
  // Providers omit it for addresses that they manage. The text "true" is not accepted.
  if (typeof email === 'string' && email_verified !== undefined && email_verified !== true)
    throw new SsoRefusal('email_not_verified', `email_verified is ${JSON.stringify(email_verified)}`);
  const name = source.name ?? claims.name;
  return {
    subject: claims.sub,
    email: typeof email === 'string' && email !== '' ? email : null,
    name: typeof name === 'string' && name !== '' ? name : null,
    authenticated_at: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1_000),
    ends_at: null,
    claims: shown({ ...claims, ...source }),
  };
}

const shown = (claims: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      name,
      (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 500),
    ]),
  );

const errorCode = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

/** The provider did not respond, so no response was rejected. */
function unavailable(error: unknown): never {
  if (error instanceof SsoRefusal) throw error;
  const { message, cause } = error as Error;
  throw new SsoRefusal('provider_unavailable', cause instanceof Error ? cause.message : message);
}

/** Why the library rejected a response. */
function toRefusal(error: unknown): SsoRefusal {
  if (error instanceof SsoRefusal) return error;
  const { message, cause } = error as Error & { cause?: Record<string, unknown> };
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const { error: code, error_description: description } = error;
    return new SsoRefusal('provider_error', [code, description].filter(Boolean).join(': ').slice(0, 500));
  }
  // How a provider rejects a wrong client id or secret in the `Authorization` header.
  if (error instanceof oauth.WWWAuthenticateChallengeError) {
    const { error: code = String(error.status), error_description: description } = error.cause[0]!.parameters;
    return new SsoRefusal('provider_error', [code, description].filter(Boolean).join(': ').slice(0, 500));
  }
  switch (errorCode(error)) {
    case oauth.JWT_TIMESTAMP_CHECK:
      return new SsoRefusal(cause?.claim === 'nbf' ? 'not_yet_valid' : 'expired', message);
    case oauth.JWT_CLAIM_COMPARISON:
      if (cause?.claim === 'iss') return new SsoRefusal('wrong_issuer', message);
      if (cause?.claim === 'aud' || cause?.claim === 'azp') return new SsoRefusal('wrong_audience', message);
      return new SsoRefusal('malformed', message);
    case oauth.KEY_SELECTION:
      return new SsoRefusal('signature_invalid', message);
    case oauth.UNSUPPORTED_OPERATION:
      return new SsoRefusal('algorithm_refused', message);
    default:
      return new SsoRefusal(/signature/i.test(message) ? 'signature_invalid' : 'malformed', message);
  }
}

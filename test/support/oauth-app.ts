import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as oauth from 'oauth4webapi';
import type { Page } from 'playwright-core';
import type { ApiClient } from './api-client.js';
import { dev } from './stack.js';

/** Allows plain HTTP, which the library refuses by default. */
export const INSECURE = { [oauth.allowInsecureRequests]: true };

/** A third-party application with its redirect URI and its OAuth client. */
export interface OauthApp {
  redirectUri: string;
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  authentication: oauth.ClientAuth;
  /** The URL of the last redirect. */
  cameBack: () => URL;
  close: () => void;
}

/** Registers an application in a workspace and starts it. */
export async function startApp(
  api: ApiClient,
  options: { public?: boolean; name?: string; redirectUris?: string[] } = {},
): Promise<OauthApp> {
  let last: URL | undefined;
  const http = createServer((request, response) => {
    if (request.url!.startsWith('/callback')) last = new URL(request.url!, redirectUri);
    response.setHeader('content-type', 'text/html').end('<h1>Back in the application</h1>');
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const redirectUri = `http://127.0.0.1:${(http.address() as AddressInfo).port}/callback`;
  const { body, status } = await api.post('/v1/oauth-clients', {
    name: options.name ?? 'Calendar friend',
    redirect_uris: [redirectUri, ...(options.redirectUris ?? [])],
    public: options.public ?? true,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const issuer = new URL(dev.baseUrl);
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...INSECURE });
  return {
    redirectUri,
    server: await oauth.processDiscoveryResponse(issuer, discovered),
    client: { client_id: body.client_id },
    authentication: body.client_secret ? oauth.ClientSecretBasic(body.client_secret) : oauth.None(),
    cameBack: () => last!,
    close: () => void http.close(),
  };
}

/** An authorization URL. `response_type` and `code_challenge_method` are omitted, as they have defaults. */
export async function authorizeUrl(
  { client, redirectUri }: OauthApp,
  scope: string,
  overrides: Record<string, string> = {},
): Promise<{ address: string; verifier: string; state: string }> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    ...overrides,
  });
  return { address: `${dev.baseUrl}/oauth/authorize?${query}`, verifier, state };
}

/**
 * Grants access with a page's session, without rendering the consent page. Returns the parameters of the
 * redirect.
 */
export async function allow(
  page: Page,
  app: OauthApp,
  scope: string,
): Promise<{ params: URLSearchParams; verifier: string }> {
  const { address, verifier, state } = await authorizeUrl(app, scope);
  const consent = await page.request.get(address);
  const [, csrf] = /name="csrf" value="([^"]+)"/.exec(await consent.text()) ?? [];
  if (!csrf) throw new Error(`the consent page returned ${consent.status()} ${await consent.text()}`);
  const form = { decision: 'allow', csrf };
  const granted = await page.request.post(consent.url(), { form, headers: { origin: dev.baseUrl } });
  if (!granted.ok()) throw new Error(`the consent returned ${granted.status()} ${await granted.text()}`);
  return { params: oauth.validateAuthResponse(app.server, app.client, app.cameBack(), state), verifier };
}

export type Tokens = oauth.TokenEndpointResponse & { refresh_token: string };

/** Exchanges a code. */
export async function exchange(
  app: OauthApp,
  { params, verifier }: { params: URLSearchParams; verifier: string },
): Promise<Tokens> {
  const { server, client, authentication, redirectUri } = app;
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    params,
    redirectUri,
    verifier,
    INSECURE,
  );
  return (await oauth.processAuthorizationCodeResponse(server, client, response)) as Tokens;
}

/** Refreshes tokens. */
export async function refresh(app: OauthApp, refreshToken: string, scope?: string): Promise<Tokens> {
  const { server, client, authentication } = app;
  const response = await oauth.refreshTokenGrantRequest(server, client, authentication, refreshToken, {
    ...INSECURE,
    ...(scope && { additionalParameters: { scope } }),
  });
  return (await oauth.processRefreshTokenResponse(server, client, response)) as Tokens;
}

import * as oauth from 'oauth4webapi';
import { failures } from '../../failures.js';
import type { AccountingConsent } from '../accounting.js';

/** Granular scopes, because apps created at Xero since March 2026 cannot get the broad ones. */
const SCOPE = [
  'openid',
  'offline_access',
  'accounting.invoices',
  'accounting.payments',
  'accounting.contacts',
  'accounting.settings.read',
].join(' ');

export interface XeroApp {
  clientId: string;
  clientSecret: string;
  /** Xero's URLs, or the simulator's in development. */
  issuer: string;
  apiUrl: string;
  /** The URL to which the consent page redirects. */
  redirectUri: string;
  /** Sends the requests; by default Node's `fetch`. */
  fetch?: typeof fetch;
}

/** Xero's OAuth: the authorization code flow with PKCE, and the organisation that a consent connects. */
export function createXeroConsent(app: XeroApp): AccountingConsent {
  const issuer = new URL(app.issuer);
  const client: oauth.Client = { client_id: app.clientId };
  // Only evaluated when it is used: a service without a Xero app has no secret, and connects no workspace.
  const secret: oauth.ClientAuth = (...request) => oauth.ClientSecretBasic(app.clientSecret)(...request);
  // Plain HTTP is only allowed for the simulator on this machine.
  const isSimulator = issuer.hostname === '127.0.0.1';
  const { fetch: send = fetch } = app;
  const options = { [oauth.allowInsecureRequests]: isSimulator, [oauth.customFetch]: send, signal };
  let discovered: Promise<oauth.AuthorizationServer> | undefined;

  /** Returns the issuer's metadata, which is fetched once, and again after a failure. */
  function discover(): Promise<oauth.AuthorizationServer> {
    discovered ??= oauth
      .discoveryRequest(issuer, options)
      .then((response) => oauth.processDiscoveryResponse(issuer, response))
      .catch((error: unknown) => {
        discovered = undefined;
        throw toFailure(error);
      });
    return discovered;
  }

  return {
    async begin() {
      const server = await discover();
      const [state, nonce, verifier] = [
        oauth.generateRandomState(),
        oauth.generateRandomNonce(),
        oauth.generateRandomCodeVerifier(),
      ];
      const url = new URL(server.authorization_endpoint!);
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: app.clientId,
        redirect_uri: app.redirectUri,
        scope: SCOPE,
        state,
        nonce,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).toString();
      return { url: url.href, state, nonce, verifier };
    },

    async finish({ callbackQuery, state, nonce, verifier }) {
      const server = await discover();
      try {
        const params = oauth.validateAuthResponse(server, client, new URLSearchParams(callbackQuery), state);
        const tokens = await oauth.processAuthorizationCodeResponse(
          server,
          client,
          await oauth.authorizationCodeGrantRequest(
            server,
            client,
            secret,
            params,
            app.redirectUri,
            verifier,
            options,
          ),
          { expectedNonce: nonce },
        );
        const connected = await listConnections(tokens.access_token, readAuthEventId(tokens.access_token));
        const [organisation] = (connected ?? []).filter(({ tenantType }) => tenantType === 'ORGANISATION');
        if (!organisation) throw failures.accountingDisconnected('no organisation was chosen');
        const { tenantId, tenantName } = organisation;
        return { ...toTokens(tokens), tenant_id: tenantId, organisation: tenantName };
      } catch (error) {
        throw toFailure(error);
      }
    },

    async refresh(refreshToken) {
      const server = await discover();
      try {
        const response = await oauth.refreshTokenGrantRequest(server, client, secret, refreshToken, options);
        return toTokens(await oauth.processRefreshTokenResponse(server, client, response));
      } catch (error) {
        throw toFailure(error);
      }
    },

    async isConnected(accessToken, tenantId) {
      try {
        const connections = await listConnections(accessToken);
        return connections && connections.some((connection) => connection.tenantId === tenantId);
      } catch (error) {
        throw toFailure(error);
      }
    },

    async disconnect(accessToken, tenantId) {
      try {
        const connections = await listConnections(accessToken);
        if (!connections) throw failures.accountingUnavailable('connections 401');
        for (const { id } of connections.filter((connection) => connection.tenantId === tenantId)) {
          const { status, ok } = await request(accessToken, 'DELETE', `/${encodeURIComponent(id)}`);
          if (!ok && status !== 404) throw failures.accountingUnavailable(`connections ${status}`);
        }
      } catch (error) {
        throw toFailure(error);
      }
    },
  };

  /** Lists the connections of a token's user, or those of one consent; null if the token is not accepted. */
  async function listConnections(accessToken: string, eventId?: string): Promise<XeroConnection[] | null> {
    const query = eventId === undefined ? '' : `?authEventId=${encodeURIComponent(eventId)}`;
    const response = await request(accessToken, 'GET', query);
    if (response.status === 401) return null;
    if (!response.ok) throw failures.accountingUnavailable(`connections ${response.status}`);
    return (await response.json()) as XeroConnection[];
  }

  function request(accessToken: string, method: string, path: string): Promise<Response> {
    return send(`${app.apiUrl}/connections${path}`, {
      method,
      headers: { authorization: `Bearer ${accessToken}` },
      signal: signal(),
    });
  }
}

interface XeroConnection {
  id: string;
  tenantId: string;
  tenantName: string;
  tenantType: string;
}

/**
 * Returns the authentication event of a token, which selects the organisations of this consent among all that
 * the token covers.
 */
function readAuthEventId(accessToken: string): string {
  const claims = JSON.parse(Buffer.from(accessToken.split('.')[1]!, 'base64url').toString()) as {
    authentication_event_id: string;
  };
  return claims.authentication_event_id;
}

const signal = (): AbortSignal => AbortSignal.timeout(8_000);

function toTokens({ access_token, refresh_token, expires_in }: oauth.TokenEndpointResponse) {
  const access_expires_at = new Date(Date.now() + (expires_in ?? 1_800) * 1000);
  return { access_token, refresh_token: refresh_token!, access_expires_at };
}

/** The operator or Xero denied access: a retry is pointless. */
const ACCESS_DENIED = ['invalid_grant', 'access_denied'];

/**
 * Returns the failure for an error. Any other error, such as a refused client secret or too many calls, is
 * worth a retry.
 */
function toFailure(error: unknown): unknown {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError)
    return ACCESS_DENIED.includes(error.error)
      ? failures.accountingDisconnected(error.error)
      : failures.accountingUnavailable(error.error);
  if (error instanceof oauth.OperationProcessingError || error instanceof oauth.WWWAuthenticateChallengeError)
    return failures.accountingUnavailable(error.code ?? 'not an OAuth response');
  if (error instanceof TypeError || (error instanceof DOMException && error.name === 'TimeoutError'))
    return failures.accountingUnavailable('no response');
  return error;
}

import { generateRandomCodeVerifier } from 'oauth4webapi';
import { takeSso } from '../../../commands/api-keys/buckets.js';
import { insertLogin } from '../../../commands/single-sign-on/logins.js';
import type { SsoLogin } from '../../../db/entities/single-sign-on.js';
import { newId } from '../../../db/ids.js';
import { ssoLoginContext } from '../../../db/queries/single-sign-on/single-sign-on.js';
import { LOGIN_MINUTES, type SsoProvider } from '../../../domain/single-sign-on/providers.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { clientAddress, isHttps } from '../../../api/http/client.js';
import type { ApiContext } from '../../../api/http/context.js';
import { applyBucket } from '../../../api/http/limits.js';
import { hashSecret, newSecret } from '../../../db/secrets.js';
import { Submitting } from '../../ui/submitting.js';
import { showPage } from '../../ui/layout.js';
import { authorizationUrl, type OidcClient } from './oidc.js';
import { samlRequest } from './saml.js';
import { findOrCreateServiceKey } from './service-key.js';

export type SsoDeps = ApiDependencies & { oidc: OidcClient };

/** Provider and client secret of a login. */
export interface LoginSettings {
  name: string;
  provider: SsoProvider;
  client_secret: Buffer | null;
}

/** What the response is checked against, besides the settings. */
export interface LoginSecrets {
  state: string;
  nonce: string;
  verifier: string;
  request_id: string;
}

/** The cookie of a browser that has begun a login. */
const cookieName = (secure: boolean): string => (secure ? '__Host-holdfast_sso' : 'holdfast_sso');

/** The digest of the browser's cookie; null without one. */
export function browserHash(ctx: ApiContext, { trustedProxies }: ApiDependencies): Buffer | null {
  const value = ctx.cookies.get(cookieName(isHttps(ctx, trustedProxies)));
  return value ? hashSecret(value) : null;
}

/** Sets the cookie, unless the browser has one of another login that is open in another tab. */
function rememberBrowser(ctx: ApiContext, { trustedProxies }: ApiDependencies): Buffer {
  const secure = isHttps(ctx, trustedProxies);
  const value = ctx.cookies.get(cookieName(secure)) ?? newSecret();
  ctx.cookies.set(cookieName(secure), value, {
    httpOnly: true,
    sameSite: 'lax',
    secure,
    maxAge: LOGIN_MINUTES * MINUTE_MS,
    overwrite: true,
  });
  return hashSecret(value);
}

/** Our own addresses at a workspace's provider. */
export const callbackUrl = ({ publicUrl }: Pick<ApiDependencies, 'publicUrl'>, workspaceId: string): string =>
  `${publicUrl}/sso/${workspaceId}/callback`;
export const samlUrls = ({ publicUrl }: Pick<ApiDependencies, 'publicUrl'>, workspaceId: string) => ({
  entity_id: `${publicUrl}/sso/${workspaceId}/metadata`,
  acs_url: `${publicUrl}/sso/${workspaceId}/acs`,
});

interface Beginning {
  workspace_id: string;
  provider: SsoProvider;
  /** The provider's name, as people know it. */
  name: string;
  purpose: SsoLogin['purpose'];
  session_hash?: Buffer;
  candidate_id?: string;
  return_to: string;
}

/**
 * Begins a sign-in at a provider in this browser. Errors: 429 `rate_limited`; `SsoRefusal` if the provider
 * does not respond.
 */
export async function beginLogin(ctx: ApiContext, deps: SsoDeps, beginning: Beginning): Promise<void> {
  const { workspace_id, provider, name, purpose, session_hash, candidate_id, return_to } = beginning;
  applyBucket(ctx, await takeSso(deps.db.manager, clientAddress(ctx), 'start', deps.buckets));
  const state = newSecret();
  const secrets: LoginSecrets = {
    state,
    nonce: newSecret(),
    verifier: generateRandomCodeVerifier(),
    request_id: `_${hashSecret(newSecret()).toString('hex')}`,
  };
  const proof = purpose === 'proof';
  const request =
    provider.protocol === 'oidc'
      ? {
          url: await authorizationUrl(
            deps.oidc,
            provider,
            { ...secrets, redirect_uri: callbackUrl(deps, workspace_id) },
            { proof, dated: purpose !== 'sign_in' },
          ),
        }
      : samlRequest(provider, await serviceProvider(deps, workspace_id), {
          id: secrets.request_id,
          relay_state: state,
          force_authn: proof,
          now: new Date(),
        });
  const id = newId('sso');
  await insertLogin(deps.db, {
    id,
    state_hash: hashSecret(state),
    browser_hash: rememberBrowser(ctx, deps),
    workspace_id,
    purpose,
    session_hash: session_hash ?? null,
    candidate_id: candidate_id ?? null,
    secrets: deps.encryption.encrypt(JSON.stringify(secrets), ssoLoginContext(id)),
    return_to,
  });
  showWay(ctx, name, request);
}

/** Sends the browser to a provider, also without scripts and without a referrer. */
function showWay(
  ctx: ApiContext,
  name: string,
  request: { url: string; fields?: Record<string, string> },
): void {
  ctx.set('Referrer-Policy', 'no-referrer');
  const title = `Continue to ${name}`;
  if (request.fields)
    return showPage(ctx, 200, {
      title,
      formTargets: [new URL(request.url).origin],
      script: Submitting.script,
      children: <Submitting to={request.url} fields={request.fields} button="Continue" />,
    });
  showPage(ctx, 200, {
    title,
    goTo: request.url,
    children: (
      <a class="button" href={request.url}>
        Continue
      </a>
    ),
  });
}

/** This service as the SAML service provider of a workspace. */
export async function serviceProvider(deps: ApiDependencies, workspaceId: string) {
  return { ...samlUrls(deps, workspaceId), ...(await findOrCreateServiceKey(deps, workspaceId)) };
}

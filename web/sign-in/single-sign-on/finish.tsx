import { takeSso } from '../../../commands/api-keys/buckets.js';
import { FRESH_MINUTES, proveProviderSession } from '../../../commands/sign-in/sessions.js';
import {
  keepAnswer,
  recordRefusal,
  takeLogin,
  type LoginKey,
} from '../../../commands/single-sign-on/logins.js';
import { signInByProvider } from '../../../commands/single-sign-on/sign-in.js';
import type { SsoLogin } from '../../../db/entities/single-sign-on.js';
import {
  findWorkspaceSignInPage,
  ssoLoginContext,
  ssoSecretContext,
  type SignInPage,
} from '../../../db/queries/single-sign-on/single-sign-on.js';
import { parseDevice } from '../../../domain/sign-in/device.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import { isName } from '../../../domain/names.js';
import { clientAddress } from '../../../api/http/client.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { applyBucket } from '../../../api/http/limits.js';
import { hashSecret } from '../../../db/secrets.js';
import { PageError, submitted } from '../../ui/browser.js';
import { showPage } from '../../ui/layout.js';
import { setSessionCookie, successorToken } from '../../ui/session.js';
import { SsoRefusal, type Identity } from './identity.js';
import {
  browserHash,
  callbackUrl,
  serviceProvider,
  type LoginSecrets,
  type LoginSettings,
  type SsoDeps,
} from './login.js';
import { completeOidc } from './oidc.js';
import { showRefusal } from './refusals.js';
import { verifySamlResponse } from './saml.js';
import { finishTest, testedSettings } from './test-login.js';

const notThere = (): PageError =>
  new PageError(404, 'Page not found', 'Single sign-on is not set up here or has been turned off.');

/** The provider signed the person in, but they have no access. `detail`: the domain of their address. */
class NotAdmittedRefusal extends SsoRefusal {}

/** The page of the workspace in the path, whose single sign-on is on. Errors: 404. */
async function requireSignInPage(deps: SsoDeps, workspaceId: string): Promise<SignInPage> {
  const page = workspaceId.includes('\0')
    ? null
    : await findWorkspaceSignInPage(deps.db.manager, workspaceId);
  if (!page) throw notThere();
  return page;
}

/** `GET /sso/:workspace/callback`: where OpenID Connect providers send browsers. */
export const finishOidc =
  (deps: SsoDeps): Handler =>
  async (ctx) => {
    const { state } = ctx.query;
    const key = { state_hash: hashSecret(typeof state === 'string' ? state : '') };
    await finish(ctx, deps, key, new URLSearchParams(ctx.querystring));
  };

/**
 * `POST /sso/:workspace/acs` receives the SAML provider's form. Browsers send no cookies with a form from
 * another site, so the response is stored and the browser redirected to a page of this service that completes
 * the sign-in. `RelayState` identifies the sign-in and is never an address.
 */
export const keepSamlAnswer =
  (deps: SsoDeps): Handler =>
  async (ctx) => {
    const { workspace } = ctx.params;
    const { SAMLResponse, RelayState } = await submitted(ctx);
    const [answer, state] = [SAMLResponse, RelayState].map((one) => (typeof one === 'string' ? one : ''));
    const stateHash = hashSecret(state!);
    const login = workspace!.includes('\0')
      ? null
      : await keepAnswer(deps.db, workspace!, stateHash, (id) =>
          deps.encryption.encrypt(answer!, ssoLoginContext(id)),
        );
    ctx.status = 303;
    ctx.redirect(`/sso/${encodeURIComponent(workspace!)}/acs?login=${login ?? ''}`);
  };

/** `GET /sso/:workspace/acs?login`: the end of a login with SAML. */
export const finishSaml =
  (deps: SsoDeps): Handler =>
  async (ctx) => {
    const { login } = ctx.query;
    await finish(ctx, deps, { id: typeof login === 'string' ? login.replaceAll('\0', '') : '' }, null);
  };

/**
 * Ends a sign-in: once, in the browser that started it, with the verified response. Refusals count against
 * the client's address and are recorded in the workspace's audit log.
 */
async function finish(
  ctx: ApiContext,
  deps: SsoDeps,
  key: LoginKey,
  query: URLSearchParams | null,
): Promise<void> {
  ctx.set('Referrer-Policy', 'no-referrer');
  const { workspace } = ctx.params;
  const workspaceId = workspace!.replaceAll('\0', '');
  const taken = await takeLogin(deps.db, workspaceId, key, browserHash(ctx, deps));
  const login = typeof taken === 'string' ? null : taken;
  const test = login?.purpose === 'test' ? await testedSettings(deps, login) : null;
  const page = test ?? (await requireSignInPage(deps, workspaceId));
  try {
    if (!login) throw new SsoRefusal(taken as Exclude<typeof taken, SsoLogin>);
    const identity = await verified(deps, page, login, query);
    if (test) return await finishTest(ctx, deps, login, identity);
    if (login.purpose === 'proof') return await finishProof(ctx, deps, login, identity);
    return await finishSignIn(ctx, deps, page as SignInPage, login, identity);
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    applyBucket(ctx, await takeSso(deps.db.manager, clientAddress(ctx), 'refused', deps.buckets));
    // Unsolicited responses can come from anyone, and providers' messages can contain personal data.
    if (login) {
      const detail = error instanceof NotAdmittedRefusal ? error.detail : null;
      const details = { reason: error.reason, detail, purpose: login.purpose };
      await recordRefusal(deps.db, workspaceId, details);
    }
    if (test) return finishTest(ctx, deps, login!, error);
    const again = login?.purpose === 'proof' ? '/sso/proof' : `/sign-in/${(page as SignInPage).sign_in_name}`;
    showRefusal(ctx, error, { name: page.name, again });
  }
}

/** Verifies a response and returns the identity. Errors: `SsoRefusal`. */
async function verified(
  deps: SsoDeps,
  { provider, client_secret }: LoginSettings,
  login: SsoLogin,
  query: URLSearchParams | null,
): Promise<Identity> {
  const { id, workspace_id } = login;
  const { encryption } = deps;
  const secrets = JSON.parse(encryption.decrypt(login.secrets, ssoLoginContext(id))) as LoginSecrets;
  // A response of the other protocol is unsolicited.
  if ((provider.protocol === 'oidc') !== (query !== null)) throw new SsoRefusal('unsolicited');
  if (provider.protocol === 'oidc') {
    const secret = client_secret && encryption.decrypt(client_secret, ssoSecretContext(workspace_id));
    const redirect_uri = callbackUrl(deps, workspace_id);
    return completeOidc(deps.oidc, provider, secret, query!, { ...secrets, redirect_uri });
  }
  if (!login.answer) throw new SsoRefusal('unsolicited');
  return verifySamlResponse(provider, await serviceProvider(deps, workspace_id), {
    response: encryption.decrypt(login.answer, ssoLoginContext(id)),
    request_id: secrets.request_id,
    now: new Date(),
  });
}

/**
 * Signs a member in to this workspace. Replaces the browser's current session. Errors:
 * `SsoRefusal`, 409 `limit_reached`.
 */
async function finishSignIn(
  ctx: ApiContext,
  deps: SsoDeps,
  page: SignInPage,
  login: SsoLogin,
  { subject, email, name, ends_at }: Identity,
): Promise<void> {
  const { workspace_id } = page;
  const asked = login.return_to;
  const dashboard = `/dashboard/${workspace_id}`;
  const return_to = asked.startsWith(dashboard) || asked.startsWith('/oauth/') ? asked : dashboard;
  const isUsable = name !== null && name.length <= 200 && isName(name);
  const arriving = { subject, email, name: isUsable ? name : null };
  const outcome = await signInByProvider(deps, page, arriving, {
    return_to,
    device: parseDevice(ctx.get('user-agent')),
    session_hash: ctx.state.session?.id_hash ?? null,
    ends_at,
  });
  if ('refusal' in outcome) {
    const { refusal } = outcome;
    if (refusal === 'login_expired') throw new SsoRefusal(refusal);
    // Only the domain: it is enough to recognise the cause, and keeps personal data out of the audit log.
    throw new NotAdmittedRefusal(refusal, email && email.slice(email.lastIndexOf('@')));
  }
  setSessionCookie(ctx, deps, outcome.token);
  ctx.redirect('/sign-in/go-on');
}

/** How far the provider's clock may be ahead. */
const SKEW_MS = MINUTE_MS;

/**
 * Gives the session a fresh proof and a new id, after the same person has just signed in again at the
 * provider. The form that waits in another tab stays valid.
 */
async function finishProof(
  ctx: ApiContext,
  deps: SsoDeps,
  login: SsoLogin,
  { subject, authenticated_at }: Identity,
): Promise<void> {
  const age = authenticated_at ? Date.now() - authenticated_at.getTime() : NaN;
  if (!(age <= FRESH_MINUTES * MINUTE_MS && age >= -SKEW_MS)) throw new SsoRefusal('no_fresh_login');
  const { session } = ctx.state;
  if (!session?.id_hash.equals(login.session_hash!)) throw new SsoRefusal('login_expired');
  const token = successorToken(session);
  const proven = await proveProviderSession(deps.db.manager, { id_hash: session.id_hash, subject, token });
  if (!proven) throw new SsoRefusal('other_subject');
  setSessionCookie(ctx, deps, token);
  showPage(ctx, 200, {
    title: 'Confirmed',
    mark: 'good',
    children: <p>Close this tab and continue in the other one.</p>,
  });
}

import joi from 'joi';
import { errors, type Provider } from 'oidc-provider';
import { findOauthClient, recordGrant, type OauthClient } from '../../commands/applications/clients.js';
import { isLiveMember } from '../../commands/applications/tokens.js';
import {
  isOwnerByProvider,
  membershipIn,
  mustSignInThere,
  opensWorkspace,
} from '../sign-in/single-sign-on/membership.js';
import type { Membership } from '../../db/queries/members/membership.js';
import type { Scope } from '../../domain/policies.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, BrowserSession, Handler } from '../../api/http/context.js';
import { showPage } from '../ui/layout.js';
import { PASSKEY_PAGE } from '../sign-in/passkeys/form.js';
import { requiresProof, type AskForProof } from '../sign-in/proof.js';
import { offerPath, redirectToOffer } from '../sign-in/membership.js';
import { SignInLinkForm } from '../sign-in/link-form.js';
import { PageError, showOwnSignIn } from '../ui/browser.js';
import { Form } from '../ui/forms.js';
import { describeScope, readScopes } from '../ui/scopes.js';

export const consentFields = { decision: joi.string().valid('allow', 'deny').required() };

/** An authorization in progress and the member it is requested from. */
interface ConsentRequest {
  client: OauthClient;
  membership: Membership;
  redirectUri: string;
  scopes: Scope[];
}

/**
 * The request of the path. Null if another page was shown instead, because its member has to accept the
 * membership or sign in in another way first.
 */
async function findConsentRequest(
  ctx: ApiContext,
  { db }: ApiDependencies,
  provider: Provider,
): Promise<ConsentRequest | null> {
  const { params, uid } = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) throw expired();
    throw error;
  });
  const client = uid === ctx.params.uid ? await findOauthClient(db.manager, String(params.client_id)) : null;
  if (!client) throw expired();
  const session = ctx.state.session!;
  if (session.provider && !opensWorkspace(session, client.workspace_id)) {
    showOwnSignIn(ctx, session.provider);
    return null;
  }
  const membership = await membershipIn(ctx, db, client.workspace_id);
  if (membership && mustSignInThere(ctx, membership)) return null;
  if (!membership) {
    if (await redirectToOffer(ctx, db, client.workspace_id)) return null;
    throw new PageError(
      403,
      'You are not a member',
      `${client.name} belongs to a workspace that ${session.email} is not a member of. Sign out and sign ` +
        'in with another address.',
    );
  }
  if (session.provider && !(await isLiveMember(db.manager, membership.member_id))) {
    showAcceptFirst(ctx, session, membership);
    return null;
  }
  if (isOwnerByProvider(session, membership))
    throw new PageError(
      403,
      'Sign in with your email address',
      'An application that acts for the owner could change where money goes. To allow it, sign in ' +
        'with your email address instead of your sign-in provider.',
    );
  return { client, membership, redirectUri: String(params.redirect_uri), scopes: readScopes(params.scope)! };
}

/** An application acts only for members who have accepted the membership, which needs their own sign-in. */
function showAcceptFirst(ctx: ApiContext, session: BrowserSession, membership: Membership): void {
  showPage(ctx, 403, {
    title: 'Accept your membership first',
    children: (
      <SignInLinkForm session={session} returnTo={offerPath(membership, ctx.path)}>
        <p>
          An application can act for you once you have accepted your membership in {membership.workspace_name}
          . Sign in with a link to <strong>{session.email}</strong> to accept it.
        </p>
      </SignInLinkForm>
    ),
  });
}

const expired = (): PageError =>
  new PageError(400, 'This request has expired', 'Go back to the application and start again.');

/** The origins that the page's form may redirect to: browsers apply `form-action` to redirects as well. */
function formTarget(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri);
  // A content security policy cannot contain IPv6 addresses.
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
}

/**
 * Completes the authorization with a result and redirects the browser. The library's address has the host and
 * scheme of the request, which a proxy may have replaced, so only its path is used.
 */
async function finish(
  ctx: ApiContext,
  provider: Provider,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<void> {
  const options = { mergeWithLastSubmission: false };
  const { pathname, search } = new URL(await provider.interactionResult(ctx.req, ctx.res, result, options));
  // As RFC 9700 advises: after a 303, no browser sends the form's body to the application.
  ctx.status = 303;
  ctx.redirect(pathname + search);
}

/** `GET /oauth/consent/:uid`: asks for consent, every time, naming the application and each scope. */
export function showConsent(deps: ApiDependencies, provider: Provider): Handler {
  return async (ctx) => {
    const request = await findConsentRequest(ctx, deps, provider);
    if (!request) return;
    const { client, membership, redirectUri, scopes } = request;
    showPage(ctx, 200, {
      title: `Allow ${client.name} to access ${membership.workspace_name}?`,
      formTargets: [formTarget(redirectUri)],
      children: (
        <Form action={ctx.path} session={ctx.state.session}>
          <p>
            <strong>{client.name}</strong> will act on your behalf ({ctx.state.session!.email}). It will be
            able to:
          </p>
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>
                {describeScope(scope)} <code>{scope}</code>
              </li>
            ))}
          </ul>
          <p>
            Its access never exceeds your role ({membership.role.replaceAll('_', ' ')}). You will be
            redirected to <code>{new URL(redirectUri).host || redirectUri}</code>.
          </p>
          <button name="decision" value="allow">
            Allow
          </button>
          <button name="decision" value="deny" class="quiet">
            Deny
          </button>
        </Form>
      ),
    });
  };
}

/** Asks for a proof, on a page whose form may also redirect to the application. */
const ask =
  (redirectUri: string): AskForProof =>
  (ctx, status, title, children) =>
    showPage(ctx, status, {
      title,
      ...PASSKEY_PAGE,
      formTargets: [formTarget(redirectUri)],
      children,
    });

/**
 * `POST /oauth/consent/:uid`: creates a grant for the application, which outlives the session and needs a
 * fresh proof, or denies it.
 */
export function submitConsent(deps: ApiDependencies, provider: Provider): Handler {
  return async (ctx) => {
    const request = await findConsentRequest(ctx, deps, provider);
    if (!request) return;
    const { client, membership, redirectUri, scopes } = request;
    if ((ctx.state.body as { decision: string }).decision === 'deny') {
      return finish(ctx, provider, {
        error: 'access_denied',
        error_description: 'the user denied the request',
      });
    }
    await requiresProof(deps, ask(redirectUri))(ctx, async () => {
      const { member_id, workspace_id } = membership;
      const grant = new provider.Grant({ accountId: member_id, clientId: client.id });
      grant.addOIDCScope(scopes.join(' '));
      const grantId = await grant.save();
      const by = { workspace_id, member_id, key_id: null };
      await recordGrant(deps.db, by, { client_id: client.id, scopes });
      await finish(ctx, provider, { login: { accountId: member_id }, consent: { grantId } });
    });
  };
}

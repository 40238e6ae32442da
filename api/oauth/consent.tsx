import joi from 'joi';
import { errors, type Provider } from 'oidc-provider';
import { findOauthClient, type OauthClient } from '../../db/repositories/access/oauth-clients.js';
import { findMembership, type Membership } from '../../db/repositories/members/membership-queries.js';
import { audit } from '../../db/repositories/workspaces/audit.js';
import type { Scope } from '../../domain/policies.js';
import type { ApiDependencies } from '../app.js';
import type { ApiContext, Handler } from '../http/context.js';
import { showPage } from '../pages/layout.js';
import { PageError } from '../sign-in/browser.js';
import { Form } from '../sign-in/forms.js';
import { describeScope, readScopes } from './scopes.js';

export const consentFields = { decision: joi.string().valid('allow', 'deny').required() };

/** An authorization under way, and who is asked. */
interface Asked {
  client: OauthClient;
  membership: Membership;
  redirectUri: string;
  scopes: Scope[];
}

async function askedOf(ctx: ApiContext, { db }: ApiDependencies, provider: Provider): Promise<Asked> {
  const { params, uid } = await provider.interactionDetails(ctx.req, ctx.res).catch((error: unknown) => {
    if (error instanceof errors.SessionNotFound) throw expired();
    throw error;
  });
  const client = uid === ctx.params.uid ? await findOauthClient(db.manager, String(params.client_id)) : null;
  if (!client) throw expired();
  const membership = await findMembership(db.manager, ctx.state.session!.profile_id, client.workspace_id);
  if (!membership) {
    const { email } = ctx.state.session!;
    throw new PageError(
      403,
      'You are not a member',
      `${client.name} works with a workspace that ${email} is not a member of. Sign out, and come back with another address.`,
    );
  }
  return { client, membership, redirectUri: String(params.redirect_uri), scopes: readScopes(params.scope)! };
}

const expired = (): PageError =>
  new PageError(400, 'This request has expired', 'Go back to the application and begin again.');

/** What the page's form may lead to: the browser checks where its answer redirects, too. */
function formTarget(redirectUri: string): string {
  const { protocol, origin, hostname } = new URL(redirectUri);
  // The policy's grammar has no IPv6 addresses.
  return /^https?:$/.test(protocol) && !hostname.startsWith('[') ? origin : protocol;
}

/** Ends the authorization with a result, and sends the browser on. */
async function finish(
  ctx: ApiContext,
  provider: Provider,
  result: Parameters<Provider['interactionResult']>[2],
): Promise<void> {
  ctx.redirect(
    await provider.interactionResult(ctx.req, ctx.res, result, { mergeWithLastSubmission: false }),
  );
}

/** Asks the person, by name of the application and by scope, each time. */
export function askForConsent(deps: ApiDependencies, provider: Provider): Handler {
  return async (ctx) => {
    const { client, membership, redirectUri, scopes } = await askedOf(ctx, deps, provider);
    showPage(ctx, 200, {
      title: `Let ${client.name} in?`,
      formTargets: [formTarget(redirectUri)],
      children: (
        <Form action={ctx.path} session={ctx.state.session}>
          <p>
            <strong>{client.name}</strong> asks to work in <strong>{membership.workspace_name}</strong> for
            you, {ctx.state.session!.email}:
          </p>
          <ul>
            {scopes.map((scope) => (
              <li key={scope}>
                {describeScope(scope)} <code>{scope}</code>
              </li>
            ))}
          </ul>
          <p>
            It can never do more than your role ({membership.role.replaceAll('_', ' ')}) may. Afterwards you
            are sent to <code>{new URL(redirectUri).host || redirectUri}</code>.
          </p>
          <button name="decision" value="allow">
            Allow
          </button>
          <button name="decision" value="deny" class="quiet">
            Do not allow
          </button>
        </Form>
      ),
    });
  };
}

/** Takes the answer: a grant to the application, or `access_denied`. */
export function decide(deps: ApiDependencies, provider: Provider): Handler {
  return async (ctx) => {
    const { client, membership, scopes } = await askedOf(ctx, deps, provider);
    if ((ctx.state.body as { decision: string }).decision === 'deny') {
      return finish(ctx, provider, {
        error: 'access_denied',
        error_description: 'the person did not allow it',
      });
    }
    const { member_id, workspace_id } = membership;
    const grant = new provider.Grant({ accountId: member_id, clientId: client.id });
    grant.addOIDCScope(scopes.join(' '));
    const grantId = await grant.save();
    await audit(
      deps.db.manager,
      { workspace_id, member_id, key_id: null },
      { action: 'oauth_grant.created', object: client.id, details: { scopes } },
    );
    await finish(ctx, provider, { login: { accountId: member_id }, consent: { grantId } });
  };
}

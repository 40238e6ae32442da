import joi from 'joi';
import {
  findSignInPage,
  findWorkspaceSignInPage,
  type SignInPage,
} from '../../../db/queries/single-sign-on/single-sign-on.js';
import { Workspace } from '../../../db/entities/workspaces.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { PageError } from '../../ui/browser.js';
import { Form } from '../../ui/forms.js';
import { showPage } from '../../ui/layout.js';
import { localPath } from '../../ui/session.js';
import { PASSKEY_PAGE } from '../passkeys/form.js';
import { SsoRefusal } from './identity.js';
import { beginLogin, samlUrls, type SsoDeps } from './login.js';
import { showRefusal } from './refusals.js';
import { serviceMetadata } from './saml.js';
import { findOrCreateServiceKey } from './service-key.js';
import { SignInLinkForm } from '../link-form.js';
import { offerPath } from '../membership.js';
import { OwnSignIn } from '../sign-in-page.js';

export const startFields = { return_to: joi.string().allow('') };
export const nameQuery = joi.object({ name: joi.string().allow('').max(100) }).unknown();

async function requireNamedSignInPage(
  ctx: ApiContext,
  { db }: Pick<ApiDependencies, 'db'>,
): Promise<SignInPage> {
  const { name } = ctx.params;
  const page = name!.includes('\0') ? null : await findSignInPage(db.manager, name!);
  if (!page)
    throw new PageError(
      404,
      'Sign-in page not found',
      'Check the name, or ask your workspace’s team for the address of its sign-in page.',
    );
  return page;
}

/**
 * `GET /sign-in/:name`: the sign-in page of a workspace, with its provider's button, a mail link and a
 * passkey (docs/rules/single-sign-on.md#where-people-sign-in). It is the same whoever opens it, so nobody
 * learns which addresses exist.
 */
export const showWorkspaceSignInPage =
  (deps: SsoDeps): Handler =>
  async (ctx) => {
    const page = await requireNamedSignInPage(ctx, deps);
    const returnTo = ctx.query.return_to ? localPath(ctx.query.return_to) : `/dashboard/${page.workspace_id}`;
    showPage(ctx, 200, {
      title: `Sign in to ${page.workspace_name}`,
      ...PASSKEY_PAGE,
      children: (
        <>
          <Form action={`/sign-in/${page.sign_in_name}`} session={ctx.state.session}>
            <input type="hidden" name="return_to" value={returnTo} />
            <button>Continue with {page.name}</button>
          </Form>
          <details>
            <summary>Sign in another way</summary>
            <OwnSignIn ctx={ctx} deps={deps} returnTo={returnTo} />
          </details>
        </>
      ),
    });
  };

/** `POST /sign-in/:name` begins a login at the provider. */
export const startSignIn =
  (deps: SsoDeps): Handler =>
  async (ctx) => {
    const page = await requireNamedSignInPage(ctx, deps);
    const { return_to } = ctx.state.body as { return_to?: string };
    await beginning(ctx, page, `/sign-in/${page.sign_in_name}`, () =>
      beginLogin(ctx, deps, { ...page, purpose: 'sign_in', return_to: localPath(return_to) }),
    );
  };

/** Shows why a login could not begin, with a link to try again. */
async function beginning(
  ctx: ApiContext,
  { name }: SignInPage,
  again: string,
  begin: () => Promise<void>,
): Promise<void> {
  try {
    await begin();
  } catch (error) {
    if (!(error instanceof SsoRefusal)) throw error;
    showRefusal(ctx, error, { name, again });
  }
}

/** `GET /sso/proof`: where a person proves who they are at the provider of their session. */
export const showProof: Handler = async (ctx) => {
  const { session } = ctx.state;
  if (!session?.provider) return ctx.redirect('/dashboard');
  showPage(ctx, 200, {
    title: 'Confirm that it’s you',
    children: (
      <Form action="/sso/proof" session={session}>
        <p>{session.provider.name} will ask you to sign in again.</p>
        <button>Continue with {session.provider.name}</button>
      </Form>
    ),
  });
};

/** `POST /sso/proof` begins the login of a fresh proof. */
export const startProof =
  (deps: SsoDeps): Handler =>
  async (ctx) => {
    const { session } = ctx.state;
    const page =
      session?.provider && (await findWorkspaceSignInPage(deps.db.manager, session.provider.workspace_id));
    if (!page) return ctx.redirect('/dashboard');
    await beginning(ctx, page, '/sso/proof', () =>
      beginLogin(ctx, deps, { ...page, purpose: 'proof', session_hash: session.id_hash, return_to: '' }),
    );
  };

/**
 * `GET /sso/second-factor`: for people whose role needs a second factor that neither
 * they nor the provider have.
 */
export const showMissingFactor: Handler = async (ctx) => {
  const { session } = ctx.state;
  if (!session?.provider || session.stage !== 'enrolment') return ctx.redirect('/sign-in/go-on');
  showPage(ctx, 403, {
    title: 'Set up two-step verification first',
    children: (
      <>
        <p>
          Your role requires two-step verification. Sign in once with a link to {session.email}, accept your
          membership and set up an authenticator or a passkey. Then continue with {session.provider.name}.
        </p>
        <SignInLinkForm session={session} returnTo={offerPath(session.provider)} />
      </>
    ),
  });
};

/** `GET /sign-in/workspace` asks for the name of a sign-in page and redirects to it. */
export const showNameForm: Handler = async (ctx) => {
  const given = (ctx.state.query as { name?: string }).name?.trim().toLowerCase();
  if (given) return ctx.redirect(`/sign-in/${encodeURIComponent(given)}`);
  showPage(ctx, 200, {
    title: 'Single sign-on',
    children: (
      <form method="get" action="/sign-in/workspace">
        <p>Enter the sign-in name of your workspace. If you don’t know it, ask your workspace’s team.</p>
        <label for="name">Sign-in name</label>
        <input id="name" name="name" required autofocus maxLength={100} autocapitalize="none" />
        <button>Continue</button>
      </form>
    ),
  });
};

/**
 * `GET /sso/:workspace/metadata`: this service's SAML metadata for a workspace. Public; it has no secrets.
 */
export const showServiceMetadata =
  (deps: SsoDeps): Handler =>
  async (ctx) => {
    const { workspace } = ctx.params;
    const known =
      !workspace!.includes('\0') && (await deps.db.manager.existsBy(Workspace, { id: workspace }));
    if (!known) throw new PageError(404, 'Page not found', 'This workspace does not exist.');
    const { certificate, key } = await findOrCreateServiceKey(deps, workspace!);
    ctx.type = 'application/samlmetadata+xml';
    ctx.set('Cache-Control', 'no-store');
    ctx.body = serviceMetadata({ ...samlUrls(deps, workspace!), certificate, key });
  };

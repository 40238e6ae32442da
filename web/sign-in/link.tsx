import joi from 'joi';
import { findUsableLink, hasSignedIn, LINK_MINUTES, sendSignInLink } from '../../commands/sign-in/links.js';
import { signInByLink } from '../../commands/sign-in/start-session.js';
import { hashSecret } from '../../db/secrets.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { email, text } from '../../api/http/fields.js';
import { readBrowser, setSignInCookies } from './browser.js';
import { showPage } from '../ui/layout.js';
import { assertOwnForm, PageError } from '../ui/browser.js';
import { forgetToken, keepToken, keptToken, noCookie } from '../ui/link-session.js';
import { Form } from '../ui/forms.js';
import { localPath } from '../ui/session.js';

export const requestFields = {
  email: email.trim().required(),
  return_to: joi.string().allow(''),
};
export const useFields = { token: text(100).required(), csrf: joi.string() };

/**
 * `POST /sign-in`: sends a link. Neither the response nor its timing reveals whether the address has an
 * account. Errors: 429 `rate_limited`, with an account or without.
 */
export function requestLink(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { email, return_to } = ctx.state.body as { email: string; return_to?: string };
    await sendSignInLink(deps, email, localPath(return_to));
    showPage(ctx, 200, {
      title: 'Check your email',
      mark: 'waiting',
      children: (
        <>
          <p>
            If <strong>{email}</strong> has an account, we’ve sent it a sign-in link. The link can be used
            once, within {LINK_MINUTES} minutes.
          </p>
          <p>
            <a href="/sign-in">Use another email address</a>
          </p>
        </>
      ),
    });
  };
}

const unusable = (): PageError =>
  new PageError(
    410,
    'This link is no longer valid',
    `Sign-in links can be used once, within ${LINK_MINUTES} minutes. Signing in also invalidates all ` +
      'other links. Request a new one.',
  );

const PATH = '/sign-in/link';

/**
 * Whether this session was started by this link, after Back or in a second tab. Without a token, the link was
 * used: the cookie has it until then.
 */
const isSignedIn = async (
  { state: { session } }: ApiContext,
  { db }: ApiDependencies,
  token: string | null,
): Promise<boolean> =>
  session ? token === null || (await hasSignedIn(db.manager, hashSecret(token), session.profile_id)) : false;

/**
 * `GET /sign-in/link` asks for confirmation and changes nothing, because mail clients open links too. If
 * several links are opened in one browser, the last one counts.
 */
export function showLink(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const given = ctx.query.token === undefined ? null : String(ctx.query.token);
    const token = given ?? keptToken(ctx, deps);
    if (await isSignedIn(ctx, deps, token)) return ctx.redirect('/sign-in/go-on');
    if (token === null) throw new PageError(410, 'Open the link in your email', noCookie());
    const link = await findUsableLink(deps.db.manager, hashSecret(token));
    if (!link) throw unusable();
    if (given !== null) {
      keepToken(ctx, deps, PATH, given);
      ctx.status = 303;
      return ctx.redirect(PATH);
    }
    showPage(ctx, 200, {
      title: 'Sign in to Holdfast',
      children: (
        <Form action={PATH} session={ctx.state.session}>
          <p>
            Sign in as <strong>{link.email}</strong> in this browser?
          </p>
          <input type="hidden" name="token" value={token} />
          <button>Sign in</button>
        </Form>
      ),
    });
  };
}

/**
 * `POST /sign-in/link` uses the link and starts a session, which replaces the browser's current one. If the
 * link has already started a session in this browser, that session continues.
 */
export function useLink(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { token, csrf } = ctx.state.body as { token: string; csrf?: string };
    if (await isSignedIn(ctx, deps, token)) return ctx.redirect('/sign-in/go-on');
    assertOwnForm(ctx, csrf);
    const started = await signInByLink(deps, token, readBrowser(ctx, deps));
    if (!started) throw unusable();
    setSignInCookies(ctx, deps, started);
    if (keptToken(ctx, deps)) forgetToken(ctx, deps, PATH);
    ctx.redirect('/sign-in/go-on');
  };
}

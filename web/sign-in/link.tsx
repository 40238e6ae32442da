import joi from 'joi';
import { deleteSession, insertSession } from '../../commands/access/sessions.js';
import {
  findUsableLink,
  insertSignInLink,
  LINK_MINUTES,
  useSignInLink,
} from '../../commands/access/sign-in-links.js';
import { transaction } from '../../db/transaction.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { email, text } from '../../api/http/fields.js';
import { showPage } from '../ui/layout.js';
import { PageError } from '../ui/browser.js';
import { Form } from '../ui/forms.js';
import { hashSecret, newSecret } from '../../api/http/secrets.js';
import { localPath, nextPage, setSessionCookie } from '../ui/session.js';

export const requestFields = {
  email: email.trim().required(),
  return_to: joi.string().allow(''),
};
export const useFields = { token: text(100).required() };

/** `GET /sign-in`: the form for an email address. People who are signed in are redirected. */
export const showSignIn: Handler = async (ctx) => {
  const returnTo = localPath(ctx.query.return_to);
  const { session } = ctx.state;
  if (session) return ctx.redirect(session.stage === 'complete' ? returnTo : nextPage(session));
  showPage(ctx, 200, {
    title: 'Sign in to Holdfast',
    children: (
      <Form action="/sign-in">
        <p>We’ll email you a sign-in link. No password needed.</p>
        <label for="email">Email address</label>
        <input id="email" name="email" type="email" required autofocus autocomplete="email" maxLength={254} />
        <input type="hidden" name="return_to" value={returnTo} />
        <button>Send link</button>
      </Form>
    ),
  });
};

/**
 * `POST /sign-in`: sends a link. Neither the response nor its timing reveals whether the address has an account. Errors:
 * 429 `rate_limited`, with an account or without.
 */
export function requestLink({ db, encryption, mailQuotas }: ApiDependencies): Handler {
  return async (ctx) => {
    const { email, return_to } = ctx.state.body as { email: string; return_to?: string };
    const token = newSecret();
    await transaction(db, (tx) =>
      insertSignInLink(tx, mailQuotas, {
        email,
        token_hash: hashSecret(token),
        return_to: localPath(return_to),
        encrypt: (id) => encryption.encrypt(token, `sign-in-link:${id}`),
      }),
    );
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
    `Sign-in links can be used once, within ${LINK_MINUTES} minutes. Signing in also invalidates all other links. Request a new one.`,
  );

const tokenOf = (ctx: ApiContext): string => String(ctx.query.token ?? '');

/** `GET /sign-in/link` asks for confirmation and changes nothing, since mail programs open links too. */
export function showLink({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const link = await findUsableLink(db.manager, hashSecret(tokenOf(ctx)));
    if (!link) throw unusable();
    showPage(ctx, 200, {
      title: 'Sign in to Holdfast',
      children: (
        <Form action="/sign-in/link" session={ctx.state.session}>
          <p>
            Sign in as <strong>{link.email}</strong> in this browser?
          </p>
          <input type="hidden" name="token" value={tokenOf(ctx)} />
          <button>Sign in</button>
        </Form>
      ),
    });
  };
}

/** `POST /sign-in/link` uses the link and starts a session, which replaces the browser's current one. */
export function useLink(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { token } = ctx.state.body as { token: string };
    await transaction(deps.db, async (tx) => {
      const link = await useSignInLink(tx, hashSecret(token));
      if (!link) throw unusable();
      if (ctx.state.session) await deleteSession(tx, ctx.state.session.id_hash);
      await insertSession(tx, { id_hash: setSessionCookie(ctx, deps), ...link });
    });
    ctx.redirect('/sign-in/go-on');
  };
}

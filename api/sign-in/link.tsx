import joi from 'joi';
import { deleteSession, insertSession } from '../../db/repositories/access/sessions.js';
import {
  findUsableLink,
  insertSignInLink,
  LINK_MINUTES,
  useSignInLink,
} from '../../db/repositories/access/sign-in-links.js';
import { transaction } from '../../db/transaction.js';
import type { ApiDependencies } from '../app.js';
import type { ApiContext, Handler } from '../http/context.js';
import { text } from '../http/validate.js';
import { showPage } from '../pages/layout.js';
import { localPath, nextPage, PageError, setSessionCookie } from './browser.js';
import { Form } from './forms.js';
import { hashSecret, newSecret } from './secrets.js';

export const askFields = {
  email: text(254).trim().email({ tlds: false }).required(),
  return_to: joi.string().allow(''),
};
export const useFields = { token: text(100).required() };

/** Asks for the address. Who is signed in goes on to where they wanted. */
export const showSignIn: Handler = async (ctx) => {
  const returnTo = localPath(ctx.query.return_to);
  const { session } = ctx.state;
  if (session) return ctx.redirect(session.stage === 'complete' ? returnTo : nextPage(session));
  showPage(ctx, 200, {
    title: 'Sign in to Holdfast',
    children: (
      <Form action="/sign-in">
        <p>You get a link by mail. There is no password.</p>
        <label for="email">Mail address</label>
        <input id="email" name="email" type="email" required autofocus autocomplete="email" maxLength={254} />
        <input type="hidden" name="return_to" value={returnTo} />
        <button>Send me a link</button>
      </Form>
    ),
  });
};

/**
 * Enqueues the mail with the link. Neither the response nor the work behind it reveals whether anybody has the address,
 * nor whether too many links were requested for it.
 */
export function askForLink({ db, encryption }: ApiDependencies): Handler {
  return async (ctx) => {
    const { email, return_to } = ctx.state.body as { email: string; return_to?: string };
    const token = newSecret();
    await transaction(db, (tx) =>
      insertSignInLink(tx, {
        email,
        token_hash: hashSecret(token),
        return_to: localPath(return_to),
        encrypt: (id) => encryption.encrypt(token, `sign-in-link:${id}`),
      }),
    );
    showPage(ctx, 200, {
      title: 'Look at your mail',
      mark: 'waiting',
      children: (
        <>
          <p>
            If <strong>{email}</strong> has an account, a link is on its way. It works once, for{' '}
            {LINK_MINUTES} minutes; only the newest one works.
          </p>
          <p>
            <a href="/sign-in">Use another address</a>
          </p>
        </>
      ),
    });
  };
}

const unusable = (): PageError =>
  new PageError(
    410,
    'This link does not work any more',
    `A link works once, for ${LINK_MINUTES} minutes, and only the newest one does. Ask for another: open the page you came from, or the dashboard.`,
  );

const tokenOf = (ctx: ApiContext): string => String(ctx.query.token ?? '');

/** Where the mail's link leads. It only asks: programs that look at mail open links, and must not use them up. */
export function showLink({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const link = await findUsableLink(db.manager, hashSecret(tokenOf(ctx)));
    if (!link) throw unusable();
    showPage(ctx, 200, {
      title: 'Sign in to Holdfast',
      children: (
        <Form action="/sign-in/link" session={ctx.state.session}>
          <p>
            You are about to sign in as <strong>{link.email}</strong> in this browser.
          </p>
          <input type="hidden" name="token" value={tokenOf(ctx)} />
          <button>Sign in</button>
        </Form>
      ),
    });
  };
}

/** Uses the link up and begins a session, in place of one that the browser may have had. */
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

import Router from '@koa/router';
import type { ApiDependencies } from '../dependencies.js';
import { route, type Handler } from '../http/context.js';
import { changeAuthenticator, freshCode, showAccount, signOut, signOutEverywhere } from './account.js';
import { browser, nextPage, signedIn, pageForm } from './browser.js';
import {
  askForAuthenticator,
  askForCode,
  codeFields,
  enterAuthenticator,
  enterCode,
  halfSignedIn,
  renewCodes,
} from './code.js';
import { askFields, askForLink, showLink, showSignIn, useFields, useLink } from './link.js';

/**
 * How a person signs in: a link by mail, then a code of their authenticator (issue 7, point 4). Owners and admins must
 * have an authenticator, others may.
 */
export function signInRoutes(deps: ApiDependencies): Router {
  const router = new Router();
  const page = browser(deps);

  /** From one step to the next. */
  const goOn: Handler = async (ctx) => ctx.redirect(nextPage(ctx.state.session!));

  router.get('/sign-in', ...route(page, showSignIn));
  router.post('/sign-in', ...route(page, pageForm(askFields), askForLink(deps)));
  router.get('/sign-in/link', ...route(page, showLink(deps)));
  router.post('/sign-in/link', ...route(page, pageForm(useFields), useLink(deps)));
  router.get('/sign-in/go-on', ...route(page, halfSignedIn, goOn));
  router.get('/sign-in/code', ...route(page, halfSignedIn, askForCode));
  router.post('/sign-in/code', ...route(page, halfSignedIn, pageForm(codeFields), enterCode(deps)));
  router.get('/sign-in/authenticator', ...route(page, halfSignedIn, askForAuthenticator(deps)));
  router.post(
    '/sign-in/authenticator',
    ...route(page, halfSignedIn, pageForm(codeFields), enterAuthenticator(deps)),
  );
  router.post('/sign-out', ...route(page, halfSignedIn, pageForm(), signOut(deps)));
  router.post('/sign-out/everywhere', ...route(page, signedIn, pageForm(), signOutEverywhere(deps)));

  const fresh = freshCode(deps);
  router.get('/account', ...route(page, signedIn, showAccount(deps)));
  router.post(
    '/account/authenticator',
    ...route(page, signedIn, pageForm(), fresh, changeAuthenticator(deps)),
  );
  router.post('/account/recovery-codes', ...route(page, signedIn, pageForm(), fresh, renewCodes(deps)));
  return router;
}

import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { route, type Handler } from '../../api/http/context.js';
import { limited } from '../../api/http/limits.js';
import { newRouter } from '../../api/http/router.js';
import { requiresRecentCode, showAccount, startSetup } from './account.js';
import {
  addressFields,
  confirmEmail,
  leaveAddressToken,
  requestEmail,
  showRequestedEmail,
} from './address.js';
import { withdrawAccess, withdrawFields } from './applications.js';
import { renewCodes, showAuthenticatorForm, submitAuthenticator } from './authenticator.js';
import { browser, errorPages, keepsAnswers, linkForm, pageForm, signedIn } from '../ui/browser.js';
import { acceptInvite, inviteFields, showInvite } from './invite.js';
import { codeFields, mayPresentFactor, requiresSession, showCodeForm, submitCode } from './code.js';
import { requestFields, requestLink, showLink, useFields, useLink } from './link.js';
import { acceptOffer, offerFields, showOffer } from './membership.js';
import { addPasskeyRoutes } from './passkeys/routes.js';
import { askOnPage, requiresProof } from './proof.js';
import { requiresRecentSignIn } from './recent-sign-in.js';
import { endFields, endOne, everywhereFields, signOut, signOutEverywhere } from './sessions.js';
import { addSsoRoutes } from './single-sign-on/routes.js';
import { showSignIn } from './sign-in-page.js';
import { nextPage } from '../ui/session.js';

/**
 * Sign-in for people (docs/rules/credentials.md#sign-in): an emailed link, then a code of their authenticator
 * or a passkey; or a passkey alone. Owners and admins must have a second factor, for others it is optional
 * unless a workspace requires it. An invitation leads to the first sign-in.
 */
export function signInRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const page = browser(deps);

  const goOn: Handler = async (ctx) => ctx.redirect(nextPage(ctx.state.session!));

  router.get('/sign-in', ...route(page, showSignIn(deps)));
  router.post('/sign-in', ...route(keepsAnswers, page, pageForm(requestFields), requestLink(deps)));
  router.get('/sign-in/link', ...route(page, showLink(deps)));
  router.post('/sign-in/link', ...route(keepsAnswers, page, linkForm(useFields), useLink(deps)));
  router.get('/sign-in/go-on', ...route(page, requiresSession, goOn));
  router.get('/sign-in/code', ...route(page, mayPresentFactor, showCodeForm(deps)));
  router.post(
    '/sign-in/code',
    ...route(keepsAnswers, page, mayPresentFactor, pageForm(codeFields), submitCode(deps)),
  );
  router.get(
    '/sign-in/authenticator',
    ...route(page, requiresSession, requiresRecentSignIn, showAuthenticatorForm(deps)),
  );
  router.post(
    '/sign-in/authenticator',
    ...route(page, requiresSession, pageForm(codeFields), requiresRecentSignIn, submitAuthenticator(deps)),
  );
  router.post('/sign-out', ...route(page, requiresSession, pageForm(), signOut(deps)));
  router.post(
    '/sign-out/everywhere',
    ...route(page, signedIn, pageForm(everywhereFields), signOutEverywhere(deps)),
  );

  const recentCode = requiresRecentCode(deps);
  router.get('/account', ...route(page, signedIn, showAccount(deps)));
  router.post(
    '/account/authenticator',
    ...route(
      page,
      signedIn,
      pageForm(),
      requiresRecentSignIn,
      recentCode,
      startSetup(deps, '/sign-in/authenticator'),
    ),
  );
  router.post(
    '/account/applications/withdraw',
    ...route(page, signedIn, pageForm(withdrawFields), withdrawAccess(deps)),
  );
  router.post(
    '/account/email',
    ...route(
      page,
      signedIn,
      pageForm(addressFields),
      requiresRecentSignIn,
      requiresProof(deps, askOnPage, true),
      requestEmail(deps),
    ),
  );
  router.post('/account/sessions/end', ...route(page, signedIn, pageForm(endFields), endOne(deps)));
  router.get('/account/memberships/:workspace', ...route(page, signedIn, showOffer(deps)));
  router.post(
    '/account/memberships/:workspace',
    ...route(page, signedIn, pageForm(offerFields), acceptOffer(deps)),
  );
  router.get(
    '/account/email/:token',
    ...route(page, leaveAddressToken(deps), signedIn, showRequestedEmail(deps)),
  );
  router.post('/account/email/:token', ...route(page, signedIn, pageForm(), confirmEmail(deps)));
  router.post(
    '/account/recovery-codes',
    ...route(page, signedIn, pageForm(), requiresRecentSignIn, recentCode, renewCodes(deps)),
  );

  addPasskeyRoutes(router, deps);
  addSsoRoutes(router, deps);

  const open = limited(deps, { byAddress: true });
  router.get('/invite/:token', ...route(open, showInvite(deps)));
  router.post(
    '/invite/:token',
    ...route(keepsAnswers, open, errorPages(deps), linkForm(inviteFields), acceptInvite(deps)),
  );
  return router;
}

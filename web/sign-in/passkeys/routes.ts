import type Router from '@koa/router';
import { signInByPasskey } from '../../../commands/sign-in/start-session.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { route, type Handler } from '../../../api/http/context.js';
import { browser, pageForm, signedIn } from '../../ui/browser.js';
import { localPath } from '../../ui/session.js';
import { requiresRecentCode, startSetup } from '../account.js';
import { assertCanEnrol } from '../authenticator.js';
import { readBrowser, setSignInCookies } from '../browser.js';
import { mayPresentFactor, PASSKEY_REJECTED, requiresSession, submitPasskey } from '../code.js';
import { requestFields } from '../link.js';
import { askOnPage, requiresProof } from '../proof.js';
import { requiresRecentSignIn } from '../recent-sign-in.js';
import { showSignInPage } from '../sign-in-page.js';
import { remove, removeFields, rename, renameFields } from './account.js';
import { assertionOptions, registrationOptions, verifyPasskey } from './ceremonies.js';
import { passkeyField } from './form.js';
import { register, registerFields, showRegistration } from './register.js';

const proofField = { passkey: passkeyField.passkey.required() };

/** `POST /sign-in/passkey`: starts a session that needs no code. */
function signIn(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { passkey, path } = ctx.state.body as { passkey: string; path?: string };
    const returnTo = localPath(path);
    const use = await verifyPasskey(deps, null, passkey);
    const started = use && (await signInByPasskey(deps, use, readBrowser(ctx, deps), returnTo));
    if (!started) return showSignInPage(ctx, deps, returnTo, PASSKEY_REJECTED);
    setSignInCookies(ctx, deps, started);
    ctx.redirect('/sign-in/go-on');
  };
}

/**
 * Adds the pages and forms of passkeys (docs/rules/credentials.md#passkeys). `POST /passkeys/options/…`
 * returns as JSON what the browser needs, with a challenge that it answers once, within five minutes.
 */
export function addPasskeyRoutes(router: Router, deps: ApiDependencies): void {
  const page = browser(deps);
  const options =
    (make: (...given: Parameters<Handler>) => Promise<object>): Handler =>
    async (ctx, next) => {
      ctx.body = await make(ctx, next);
    };

  router.post(
    '/passkeys/options/sign_in',
    ...route(
      page,
      pageForm(),
      options(() => assertionOptions(deps, null)),
    ),
  );
  router.post(
    '/passkeys/options/proof',
    ...route(
      page,
      mayPresentFactor,
      pageForm(),
      options((ctx) => assertionOptions(deps, ctx.state.session!)),
    ),
  );
  router.post(
    '/passkeys/options/register',
    ...route(
      page,
      requiresSession,
      pageForm(),
      requiresRecentSignIn,
      options(async (ctx) => {
        assertCanEnrol(ctx.state.session!);
        return registrationOptions(deps, ctx.state.session!);
      }),
    ),
  );

  router.post(
    '/sign-in/passkey',
    ...route(page, pageForm({ ...proofField, path: requestFields.return_to }), signIn(deps)),
  );
  router.post(
    '/sign-in/code/passkey',
    ...route(page, mayPresentFactor, pageForm(proofField), submitPasskey(deps)),
  );

  router.post(
    '/account/passkeys/start',
    ...route(
      page,
      signedIn,
      pageForm(),
      requiresRecentSignIn,
      requiresRecentCode(deps),
      startSetup(deps, '/account/passkeys/new'),
    ),
  );
  router.get(
    '/account/passkeys/new',
    ...route(page, requiresSession, requiresRecentSignIn, showRegistration(deps)),
  );
  router.post(
    '/account/passkeys',
    ...route(page, requiresSession, pageForm(registerFields), requiresRecentSignIn, register(deps)),
  );
  router.post('/account/passkeys/rename', ...route(page, signedIn, pageForm(renameFields), rename(deps)));
  router.post(
    '/account/passkeys/remove',
    ...route(page, signedIn, pageForm(removeFields), requiresProof(deps, askOnPage), remove(deps)),
  );
}

import type Router from '@koa/router';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { route } from '../../../api/http/context.js';
import { limited } from '../../../api/http/limits.js';
import { typed } from '../../../api/http/typed.js';
import { validQuery } from '../../../api/http/validate.js';
import { browser, errorPages, pageForm } from '../../ui/browser.js';
import { requiresSession } from '../code.js';
import { finishOidc, finishSaml, keepSamlAnswer } from './finish.js';
import { createOidcClient } from './oidc.js';
import {
  nameQuery,
  showMissingFactor,
  showNameForm,
  showProof,
  showServiceMetadata,
  showWorkspaceSignInPage,
  startFields,
  startProof,
  startSignIn,
} from './page.js';

/**
 * Sign-in through the identity providers of workspaces (docs/rules/single-sign-on.md). After the
 * other routes of `/sign-in/`.
 */
export function addSsoRoutes(router: Router, deps: ApiDependencies): void {
  const page = browser(deps);
  const open = limited(deps, { byAddress: true });
  const sso = { ...deps, oidc: createOidcClient(deps) };

  router.get('/sign-in/workspace', ...route(page, validQuery(typed(nameQuery)), showNameForm));
  router.get('/sign-in/:name', ...route(page, showWorkspaceSignInPage(sso)));
  router.post('/sign-in/:name', ...route(page, pageForm(startFields), startSignIn(sso)));
  router.get('/sso/proof', ...route(page, requiresSession, showProof));
  router.post('/sso/proof', ...route(page, requiresSession, pageForm(), startProof(sso)));
  router.get('/sso/second-factor', ...route(page, requiresSession, showMissingFactor));
  router.get('/sso/:workspace/metadata', ...route(open, errorPages(deps), showServiceMetadata(sso)));
  router.get('/sso/:workspace/callback', ...route(page, finishOidc(sso)));
  router.get('/sso/:workspace/acs', ...route(page, finishSaml(sso)));
  // The form is that of another site, and its state the only credential.
  router.post('/sso/:workspace/acs', ...route(open, errorPages(deps), keepSamlAnswer(sso)));
}

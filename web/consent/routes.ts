import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import type { ApiDependencies } from '../../api/dependencies.js';
import { assertUnencoded } from '../../api/http/body.js';
import { route, type Handler } from '../../api/http/context.js';
import { limited } from '../../api/http/limits.js';
import { newRouter } from '../../api/http/router.js';
import { proofFields } from '../sign-in/proof.js';
import { browser, pageForm, signedInAnyhow } from '../ui/browser.js';
import { consentFields, showConsent, submitConsent } from './application.js';
import { showConnected } from './accounting.js';
import { showMetadata } from './metadata.js';
import { createProvider } from './provider.js';
import { showLinkExpired, showOnboarded } from './onboarding.js';
import { AUTHORIZE_PATH, CONSENT_PATH, REVOKE_PATH, SESSION_COOKIE, TOKEN_PATH } from './paths.js';

/** `response_type` and `code_challenge_method` are optional, because each has only one allowed value. */
function assumeDefaults(request: IncomingMessage): void {
  const url = new URL(request.url!, 'http://localhost');
  const { searchParams } = url;
  if (!searchParams.has('response_type')) searchParams.set('response_type', 'code');
  if (!searchParams.has('code_challenge_method') && searchParams.has('code_challenge'))
    searchParams.set('code_challenge_method', 'S256');
  request.url = url.pathname + url.search;
}

/** Removes the library's session from a request: the person is identified by this service's session. */
function removeSession(request: IncomingMessage): void {
  const cookies = request.headers.cookie?.split('; ') ?? [];
  request.headers.cookie = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE)).join('; ');
}

/**
 * The authorization server with its consent page (docs/rules/credentials.md#oauth), and the pages to which
 * the accounting system (in the same session only) and the processor's onboarding return.
 */
export function consentRoutes(deps: ApiDependencies): Router {
  const router = newRouter();
  const provider = createProvider(deps);
  const handle = provider.callback();

  /** Clients of these routes have no key, so they are limited by IP address. */
  const limit = limited(deps, { byAddress: true });

  /** The library sends the response. */
  const handOver: Handler = async (ctx) => {
    assertUnencoded(ctx);
    ctx.respond = false;
    await handle(ctx.req, ctx.res);
  };

  const authorize: Handler = async (ctx, next) => {
    removeSession(ctx.req);
    if (ctx.path === AUTHORIZE_PATH) assumeDefaults(ctx.req);
    await next();
  };

  router.get('/.well-known/oauth-authorization-server', ...route(limit, showMetadata(deps)));
  router.get(AUTHORIZE_PATH, ...route(limit, authorize, handOver));
  router.get(`${AUTHORIZE_PATH}/:uid`, ...route(limit, authorize, handOver));
  for (const path of [TOKEN_PATH, REVOKE_PATH]) {
    router.post(path, ...route(limit, handOver));
    router.options(path, ...route(limit, handOver));
  }

  const page = browser(deps);
  router.get(`${CONSENT_PATH}/:uid`, ...route(page, signedInAnyhow, showConsent(deps, provider)));
  router.post(
    `${CONSENT_PATH}/:uid`,
    ...route(
      page,
      signedInAnyhow,
      pageForm({ ...consentFields, ...proofFields }),
      submitConsent(deps, provider),
    ),
  );

  router.get('/accounting/callback', ...route(limit, page, showConnected(deps)));
  router.get('/onboarding/done', ...route(limit, showOnboarded(deps)));
  router.get('/onboarding/again', ...route(limit, showLinkExpired));
  return router;
}

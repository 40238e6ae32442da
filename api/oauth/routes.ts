import Router from '@koa/router';
import joi from 'joi';
import type { IncomingMessage } from 'node:http';
import { isId } from '../../db/ids.js';
import { listOauthClients } from '../../db/repositories/access/oauth-clients.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { cursorParam, decodeCursor, page } from '../http/cursor.js';
import { idempotencyOf } from '../http/idempotency.js';
import { limiter } from '../http/limits.js';
import { pageLimit, validBody, validQuery } from '../http/validate.js';
import { browser, signedIn, pageForm } from '../sign-in/browser.js';
import { createClient, createSchema, presentClient, removeClient, type NewClient } from './clients.js';
import { askForConsent, consentFields, decide } from './consent.js';
import { showMetadata } from './metadata.js';
import {
  AUTHORIZE_PATH,
  CONSENT_PATH,
  createProvider,
  REVOKE_PATH,
  SESSION_COOKIE,
  TOKEN_PATH,
} from './provider.js';

const listSchema = joi.object({ limit: pageLimit, cursor: cursorParam });
const isClientId = (id: string): boolean => isId('client', id);

/** spec.md's authorize query names neither the response type nor the challenge's method; there is one of each. */
function assumeDefaults(request: IncomingMessage): void {
  const url = new URL(request.url!, 'http://localhost');
  const { searchParams } = url;
  if (!searchParams.has('response_type')) searchParams.set('response_type', 'code');
  if (!searchParams.has('code_challenge_method') && searchParams.has('code_challenge'))
    searchParams.set('code_challenge_method', 'S256');
  request.url = url.pathname + url.search;
}

/** Takes the library's own session out of a request: who the person is, our session says. */
function forgetSession(request: IncomingMessage): void {
  const cookies = request.headers.cookie?.split('; ') ?? [];
  request.headers.cookie = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE)).join('; ');
}

/** OAuth (spec.md, "Authentication", 5; decisions.md, "Credentials"): the server, the consent page, the clients. */
export function oauthRoutes(deps: ApiDependencies): Router {
  const { db } = deps;
  const router = new Router();
  const provider = createProvider(deps);
  const answer = provider.callback();
  const limit = limiter(deps);

  /** Counts against the address: the clients of these routes have no key yet. */
  const limited: Handler = async (ctx, next) => {
    await limit(ctx, { byAddress: true });
    await next();
  };

  /** The library answers by itself. */
  const handOver: Handler = async (ctx) => {
    ctx.respond = false;
    await answer(ctx.req, ctx.res);
  };

  const authorize: Handler = async (ctx, next) => {
    forgetSession(ctx.req);
    if (ctx.path === AUTHORIZE_PATH) assumeDefaults(ctx.req);
    await next();
  };

  router.get('/.well-known/oauth-authorization-server', ...route(limited, showMetadata(deps)));
  router.get(AUTHORIZE_PATH, ...route(limited, authorize, handOver));
  router.get(`${AUTHORIZE_PATH}/:uid`, ...route(limited, authorize, handOver));
  for (const path of [TOKEN_PATH, REVOKE_PATH]) {
    router.post(path, ...route(limited, handOver));
    router.options(path, ...route(limited, handOver));
  }

  const asked = browser(deps);
  router.get(`${CONSENT_PATH}/:uid`, ...route(asked, signedIn, askForConsent(deps, provider)));
  router.post(
    `${CONSENT_PATH}/:uid`,
    ...route(asked, signedIn, pageForm(consentFields), decide(deps, provider)),
  );

  const create: Handler = async (ctx) => {
    const { principal, body } = ctx.state;
    const { client, created } = await createClient(db, principal, body as NewClient, idempotencyOf(ctx));
    ctx.status = created ? 201 : 200;
    ctx.body = client;
  };

  const list: Handler = async (ctx) => {
    const { limit, cursor } = ctx.state.query as { limit: number; cursor?: string };
    const after = cursor ? decodeCursor(cursor, isClientId) : undefined;
    const rows = await listOauthClients(db.manager, {
      workspace_id: ctx.state.principal.workspace_id,
      after: after && { created_at: after.key, id: after.id },
      limit: limit + 1,
    });
    ctx.body = page(rows, limit, (client) => client.created_at, presentClient);
  };

  const remove: Handler = async (ctx) => {
    const { id } = ctx.params;
    if (!isClientId(id!) || !(await removeClient(db, ctx.state.principal, id!)))
      throw new ApiError('not_found', 'There is no such OAuth client.');
    ctx.status = 204;
  };

  const known = authenticated(deps);
  const mayRead = may('credentials:read', 'manage_keys');
  const mayWrite = may('credentials:write', 'manage_keys');
  const mayDelete = may('credentials:delete', 'manage_keys');
  router.get('/v1/oauth-clients', ...route(known, mayRead, validQuery(listSchema), list));
  router.post('/v1/oauth-clients', ...route(known, mayWrite, validBody(createSchema), create));
  router.delete('/v1/oauth-clients/:id', ...route(known, mayDelete, remove));
  return router;
}

import type Router from '@koa/router';
import { authorize } from '../../domain/policies.js';
import type { ApiDependencies } from '../dependencies.js';
import { authenticated } from './auth.js';
import { readBytes, readJson } from './body.js';
import { clientAddress } from './client.js';
import { limitConcurrent, UPLOADING } from './concurrency.js';
import { route, type ApiContext, type Handler } from './context.js';
import { assertLongEnough, deprecatedFields, deprecationHeaders, usedIn } from './deprecation.js';
import { applyEtag } from './etag.js';
import { readIdempotencyKey, runOnce } from './idempotency.js';
import { expectedVersion } from './if-match.js';
import { limiter } from './limits.js';
import { replyTo, type AnyOperation } from './operation.js';
import { publishable } from './publishable.js';
import { withFacts } from './route-facts.js';
import type { Deprecation } from './meta.js';
import { newRouter } from './router.js';
import { bearerToken } from './tokens.js';
import { validBody, validFormOrBody, validQuery } from './validate.js';

/** Throws 403 if a caller may not call an operation. */
function assertMay(operation: AnyOperation, ctx: ApiContext): void {
  const { scope, capability } = operation;
  const { principal } = ctx.state;
  if (operation.authorize) operation.authorize(principal);
  else if (!operation.anyKey) authorize(principal, scope!, capability!);
}

/** Throws at startup if an operation does not declare the rights that a caller needs. */
function assertRights({ route, publishable, authorize, anyKey, scope, capability }: AnyOperation): void {
  if (publishable || authorize || anyKey || (scope && capability)) return;
  throw new Error(`${route} must have a scope and a capability.`);
}

/** The cost of a request, if it depends on the body. The body is not read if the caller lacks the rights. */
async function requestCost(operation: AnyOperation, ctx: ApiContext): Promise<number> {
  const { cost } = operation;
  if (typeof cost !== 'function') return cost ?? 1;
  try {
    assertMay(operation, ctx);
  } catch {
    return 1;
  }
  // A body that cannot be parsed is rejected later, after the caller has been authenticated.
  return cost(await readJson(ctx).catch(() => null));
}

/** Authenticates the caller of an operation, counts the request, and authorizes it. */
function doors(operation: AnyOperation, deps: ApiDependencies): Handler[] {
  const { scope, capability, cost } = operation;
  if (operation.publishable) return [publishable(deps)];
  return [
    authenticated(
      deps,
      typeof cost === 'function'
        ? (ctx, principal) => {
            ctx.state.principal = principal;
            return requestCost(operation, ctx);
          }
        : cost,
    ),
    withFacts({ scope, capability }, async (ctx, next) => {
      assertMay(operation, ctx);
      await next();
    }),
  ];
}

/** Sets the deprecation headers of a response. */
function announce(ctx: ApiContext, more: readonly Deprecation[]): void {
  const all = (ctx.state.deprecations ??= []);
  all.push(...more);
  ctx.set(deprecationHeaders(all));
}

/** Announces the deprecation on every response of a deprecated operation. */
function deprecation({ deprecated }: AnyOperation): Handler[] {
  if (!deprecated) return [];
  assertLongEnough(deprecated);
  return [
    async (ctx, next) => {
      announce(ctx, [deprecated]);
      await next();
    },
  ];
}

/** Announces the deprecation of the fields that a request has sent. */
function deprecatedInput({ query, body }: AnyOperation): Handler[] {
  const ofQuery = query ? deprecatedFields(query) : [];
  const ofBody = body ? deprecatedFields(body) : [];
  if (ofQuery.length + ofBody.length === 0) return [];
  return [
    async (ctx, next) => {
      // The validated body also contains defaults.
      const sent = ctx.is('urlencoded') || ofBody.length === 0 ? ctx.state.body : await readJson(ctx);
      announce(ctx, [...usedIn(ctx.query, ofQuery), ...usedIn(sent, ofBody)]);
      await next();
    },
  ];
}

/** The middlewares that limit, read and validate a request before the operation runs. */
function bodies({ query, body, form, upload, concurrent }: AnyOperation): Handler[] {
  return [
    ...(query ? [validQuery(query)] : []),
    ...(body ? [form ? validFormOrBody(body) : validBody(body)] : []),
    ...(upload ? UPLOADING : []),
    ...(concurrent ? [limitConcurrent(undefined, concurrent)] : []),
  ];
}

/**
 * Runs an operation for a request that has been authenticated, authorized and validated, and sends its reply.
 */
function handler(operation: AnyOperation, deps: ApiDependencies): Handler {
  const { upload } = operation;
  const limit = limiter(deps);
  const deprecatedOutput = Object.values(operation.responses).flatMap((body) =>
    body && !('mediaType' in body) ? deprecatedFields(body) : [],
  );
  return async (ctx) => {
    const { params, state } = ctx;
    const caller = operation.publishable ? state.site : state.principal;
    const file = upload
      ? { content: await readBytes(ctx, upload.maxBytes), type: ctx.request.type.toLowerCase() }
      : null;
    const path = operation.boundTo?.(caller);
    const input = {
      params,
      query: state.query,
      body: state.body,
      file,
      client: { address: clientAddress(ctx), token: bearerToken(ctx.get('authorization')) },
      idempotency: operation.idempotent ? readIdempotencyKey(ctx, { path, file }) : null,
      version: operation.versioned ? expectedVersion(ctx) : null,
      async spend(more: number) {
        // Gives the token of the request back first: the limits decide about its whole cost.
        await limit(ctx, { cost: -1 });
        await limit(ctx, { cost: 1 + more });
      },
    };
    const { status, headers, body, etag } = replyTo(operation, await runOnce(operation, input, caller, deps));
    ctx.body = body;
    ctx.status = status;
    if (headers) ctx.set(headers);
    if (etag) applyEtag(ctx, etag);
    if (deprecatedOutput.length > 0) announce(ctx, usedIn(body, deprecatedOutput));
  };
}

/**
 * The routes of operations, in the order of checks that every request passes
 * (docs/rules/api.md#order-of-checks).
 */
export function operationRoutes(operations: readonly AnyOperation[], deps: ApiDependencies): Router {
  const router = newRouter();
  for (const operation of operations) {
    assertRights(operation);
    const [method, path] = operation.route.split(' ') as [string, string];
    router.register(
      path,
      [method],
      route(
        ...deprecation(operation),
        ...doors(operation, deps),
        ...bodies(operation),
        ...deprecatedInput(operation),
        handler(operation, deps),
      ),
    );
  }
  return router;
}

import type Router from '@koa/router';
import type { ApiDependencies } from '../dependencies.js';
import { authenticated, requires } from './auth.js';
import { limitConcurrent } from './concurrency.js';
import { route, type Handler } from './context.js';
import { idempotencyOf } from './idempotency.js';
import { expectedVersion } from './if-match.js';
import { replyTo, type AnyOperation } from './operation.js';
import { newRouter } from './router.js';
import { validBody, validQuery } from './validate.js';

/** Runs an operation for a request that has been authenticated, authorized and validated, and sends its reply. */
const handler =
  (operation: AnyOperation, deps: ApiDependencies): Handler =>
  async (ctx) => {
    const { params, state } = ctx;
    const result = await operation.run(
      {
        params,
        query: state.query,
        body: state.body,
        idempotency: operation.idempotent ? idempotencyOf(ctx) : null,
        version: operation.versioned ? expectedVersion(ctx) : null,
      },
      state.principal,
      deps,
    );
    const { status, headers, body } = replyTo(operation, result);
    ctx.set(headers);
    ctx.body = body;
    ctx.status = status;
  };

/** The routes of operations, in the order of checks that every request passes (docs/rules/api.md#order-of-checks). */
export function operationRoutes(operations: readonly AnyOperation[], deps: ApiDependencies): Router {
  const router = newRouter();
  const signedIn = authenticated(deps);
  for (const operation of operations) {
    const { scope, capability, query, body, concurrent } = operation;
    const [method, path] = operation.route.split(' ') as [string, string];
    router.register(
      path,
      [method],
      route(
        signedIn,
        requires(scope, capability),
        ...(query ? [validQuery(query)] : []),
        ...(body ? [validBody(body)] : []),
        ...(concurrent ? [limitConcurrent(undefined, concurrent)] : []),
        handler(operation, deps),
      ),
    );
  }
  return router;
}

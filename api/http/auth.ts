import type { DataSource } from 'typeorm';
import { findPrincipal } from '../../db/repositories/principals.js';
import { ApiError } from '../../domain/errors.js';
import { authorize, type Capability, type Scope } from '../../domain/policies.js';
import type { Handler } from './context.js';
import { readToken } from './tokens.js';

/** Takes the bearer token and finds who calls. Errors: 401 `auth_invalid`. */
export function authenticated({ db }: { db: DataSource }): Handler {
  return async (ctx, next) => {
    const header = ctx.get('authorization');
    const token = header.startsWith('Bearer ') ? readToken(header.slice('Bearer '.length)) : null;
    const principal = token && (await findPrincipal(db.manager, token.hash));
    if (!principal) {
      ctx.set('WWW-Authenticate', 'Bearer');
      throw new ApiError('auth_invalid', 'Send a valid API key as "Authorization: Bearer <API_KEY>".');
    }
    ctx.state.principal = principal;
    await next();
  };
}

/** Lets in who has the scope and whose role holds the capability. Errors: 403. */
export function may(scope: Scope, capability: Capability): Handler {
  return async (ctx, next) => {
    authorize(ctx.state.principal, scope, capability);
    await next();
  };
}

import Router from '@koa/router';
import joi from 'joi';
import { eraseGuest } from '../../db/repositories/members/erasure.js';
import { transaction } from '../../db/transaction.js';
import type { ApiDependencies } from '../dependencies.js';
import { authenticated, may } from '../http/auth.js';
import { route, type Handler } from '../http/context.js';
import { text, validBody } from '../http/validate.js';

const eraseSchema = joi.object({ email: text(254).email({ tlds: false }).required() }).required();

/** Guests, who are no members: they exist in their bookings only (decisions.md, "Mail and erasure"). */
export function guestRoutes(deps: ApiDependencies): Router {
  const router = new Router();

  /** `POST /v1/guests/erase`: answers in how many bookings the guest was; once more answers 0. */
  const erase: Handler = async (ctx) => {
    const { email } = ctx.state.body as { email: string };
    const bookings = await transaction(deps.db, (tx) => eraseGuest(tx, ctx.state.principal, email));
    ctx.status = 200;
    ctx.body = { bookings };
  };

  const mayErase = may('members:delete', 'hard_delete');
  router.post('/v1/guests/erase', ...route(authenticated(deps), mayErase, validBody(eraseSchema), erase));
  return router;
}

import { eraseGuest } from '../../../commands/members/erasure.js';
import { transaction } from '../../../db/transaction.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import type { EraseBody } from './shape.js';

/** `POST /v1/guests/erase`: erases a guest from their bookings (docs/rules/members.md#erasure). */
export function erase({ db }: Pick<ApiDependencies, 'db'>): Handler<EraseBody> {
  return async (ctx) => {
    const { email } = ctx.state.body;
    const bookings = await transaction(db, (tx) => eraseGuest(tx, ctx.state.principal, email));
    ctx.status = 200;
    ctx.body = { bookings };
  };
}

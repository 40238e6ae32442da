import { eraseMember } from '../../../commands/members/erasure.js';
import { archiveMember } from '../../../commands/members/archive-member.js';
import { countInvite } from '../../../commands/mail/mail-limits.js';
import { resendInvite } from '../../../commands/members/accept-invite.js';
import { updateMember } from '../../../commands/members/update-member.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import type { Principal } from '../../../domain/policies.js';
import { presentMember } from '../../../domain/members/presenter.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { memberIdOf, memberOf } from './read.js';
import type { UpdateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db' | 'mailQuotas'>;

/**
 * Applies a change to the member in the path and responds with the member. Errors: 429 if
 * it invites again too soon.
 */
function changing<Body>(
  deps: Deps,
  work: (tx: Tx, principal: Principal, id: string, body: Body) => Promise<unknown>,
): Handler<Body> {
  return async (ctx) => {
    const id = memberIdOf(ctx);
    await transaction(deps.db, async (tx) => {
      await work(tx, ctx.state.principal, id, ctx.state.body);
      await countInvite(tx, ctx.state.principal, deps.mailQuotas, id);
    });
    ctx.status = 200;
    ctx.body = presentMember(await memberOf(ctx, deps, id));
  };
}

/** `PATCH /v1/members/{id}` (docs/rules/members.md#roles). Errors: 403, 404, 409. */
export const update = (deps: Deps): Handler<UpdateBody> => changing(deps, updateMember);

/** `POST /v1/members/{id}/archive` (docs/rules/members.md#archiving). Errors: 403, 404. */
export const archive = (deps: Deps): Handler => changing(deps, archiveMember);

/**
 * `POST /v1/members/{id}/resend-invite` (docs/rules/members.md#invites). Errors: 404,
 * 409 `member_not_invited`.
 */
export const sendInvite = (deps: Deps): Handler => changing(deps, resendInvite);

/** `DELETE /v1/members/{id}`: erases the member (docs/rules/members.md#erasure). Errors: 403, 404. */
export function erase({ db }: Deps): Handler {
  return async (ctx) => {
    const id = memberIdOf(ctx);
    await transaction(db, (tx) => eraseMember(tx, ctx.state.principal, id));
    ctx.status = 204;
  };
}

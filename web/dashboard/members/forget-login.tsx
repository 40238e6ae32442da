import { hasSsoSubject } from '../../../db/queries/single-sign-on/single-sign-on.js';
import { forgetMemberLogin } from '../../../commands/single-sign-on/forget-login.js';
import { transaction } from '../../../db/transaction.js';
import type { MemberRow } from '../../../db/queries/members/member.js';
import { whyNotEdit } from '../../../domain/members/edit.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { memberOf } from '../../../api/resources/members/read.js';
import { Action } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { redirectWithNotice } from '../shared/notice.js';

/**
 * The form for a member whose account at the provider was replaced. For those who may change their address.
 */
export async function forgetLogin(ctx: ApiContext, { db }: ApiDependencies, member: MemberRow) {
  const { email, id, name } = member;
  if (whyNotEdit(ctx.state.membership!, member, { email }) || !(await hasSsoSubject(db.manager, id)))
    return null;
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `/members/${id}/forget-login`)}
      summary="Forget the provider’s login"
      button={`Forget the login of ${name}`}
      rare
    >
      <p>
        For a new account at your identity provider. {name} is signed out of single sign-on, and whoever signs
        in there next with {email} is taken for {name}. Make sure that this address is theirs at the provider.
      </p>
    </Action>
  );
}

/** Has the next login through the provider bind a member anew (docs/rules/single-sign-on.md#the-member). */
export function forgetLoginForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { id, name } = await memberOf(ctx, deps);
    await transaction(deps.db, (tx) => forgetMemberLogin(tx, ctx.state.principal, id));
    redirectWithNotice(ctx, pathIn(ctx, `/members/${id}`), `The provider’s login of ${name} is forgotten.`);
  };
}

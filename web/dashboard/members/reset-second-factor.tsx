import { memberFor } from '../../../commands/members/administer.js';
import { resetMemberSecondFactor } from '../../../commands/sign-in/reset-second-factor.js';
import type { MemberRow } from '../../../db/queries/members/member.js';
import { ApiError } from '../../../domain/errors.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { REJECTIONS } from '../../sign-in/code.js';
import { OwnCode, ownCodeFields, withCode } from '../../sign-in/proof.js';
import { Action } from '../shared/action.js';
import { pathIn } from '../shared/paths.js';
import { hiddenFields } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { proven, type FormRoute } from '../shared/section.js';

/** The owner's form for a member who lost authenticator and recovery codes. */
export function ResetSecondFactor({ ctx, member }: { ctx: ApiContext; member: MemberRow }) {
  const { role, member_id } = ctx.state.membership!;
  if (!can(role, 'reset_second_factor') || member.id === member_id) return null;
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `/members/${member.id}/reset-second-factor`)}
      summary="Reset two-step verification"
      button={`Reset two-step verification for ${member.name}`}
      rare
    >
      <p>
        For a lost phone and lost recovery codes. Make sure that it is {member.name} who asks. Their
        authenticator, passkeys and codes are removed and their sessions end; they sign in by a link to{' '}
        {member.email} alone, and as an admin set up another authenticator then.
      </p>
      <OwnCode session={ctx.state.session!} />
    </Action>
  );
}

/**
 * Resets a member's second factor in the transaction that accepts the owner's code, or
 * after a passkey of theirs.
 */
function resetSecondFactorForm(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { code } = ctx.state.body as { code?: string };
    const { principal } = ctx.state;
    const { id, name } = await memberFor(deps.db.manager, principal, ctx.params.id!);
    const outcome = await withCode(deps, ctx.state.session!, code, (tx) =>
      resetMemberSecondFactor(tx, principal, id),
    );
    if (outcome !== 'accepted')
      throw new ApiError('validation_failed', REJECTIONS[outcome], { param: 'code' });
    const notice =
      `Two-step verification for ${name} has been reset, and their sessions have ended. They have ` +
      'been notified by email.';
    redirectWithNotice(ctx, pathIn(ctx, `/members/${id}`), notice);
  };
}

export const resetSecondFactorRoute: FormRoute = [
  '/reset-second-factor',
  { ...hiddenFields, ...ownCodeFields },
  proven(resetSecondFactorForm),
  'reset_second_factor',
];

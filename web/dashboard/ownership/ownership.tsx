import { listMembers } from '../../../db/queries/members/member.js';
import { mayOwn, transferOwnership } from '../../../commands/members/ownership.js';
import { ApiError } from '../../../domain/errors.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { memberId } from '../../../api/http/fields.js';
import { REJECTIONS } from '../../sign-in/code.js';
import { OwnCode, ownCodeFields, withCode } from '../../sign-in/proof.js';
import { Select } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { redirectWithNotice } from '../shared/notice.js';
import { showSection } from '../shared/workspace.js';

const MAX_SHOWN = 200;

export const ownershipFields = { ...ownCodeFields, member_id: memberId.required() };

/** `GET /dashboard/:workspace/ownership`: the form to transfer the workspace. */
export function showOwnership({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, member_id } = ctx.state.membership!;
    const members = await listMembers(db.manager, { workspace_id, limit: MAX_SHOWN });
    const candidates = members.filter((member) => member.id !== member_id && mayOwn(member));
    showSection(ctx, {
      title: 'Ownership',
      at: '/ownership',
      children:
        candidates.length === 0 ? (
          <p class="card">
            You are the owner. To transfer the workspace, first add the new owner as a member. They must
            accept the membership first. <a href={`/dashboard/${workspace_id}/members/new`}>Add a member</a>
          </p>
        ) : (
          <Form class="card" ctx={ctx} action={`/dashboard/${workspace_id}/ownership`}>
            <p>
              The selected member becomes the owner and you become an admin. Only the new owner can undo this.
            </p>
            <Select
              name="member_id"
              label="New owner"
              options={candidates.map(({ id, name, email }) => [id, `${name} (${email})`] as const)}
              chosen={[]}
            />
            <OwnCode session={ctx.state.session!} />
            <button class="danger">Transfer ownership</button>
          </Form>
        ),
    });
  };
}

/** Transfers the workspace in the transaction that accepts the code, or after a passkey (docs/rules/members.md#ownership-transfer). */
export function transferFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { code, member_id } = ctx.state.body as { code?: string; member_id: string };
    const { principal } = ctx.state;
    const outcome = await withCode(deps, ctx.state.session!, code, (tx) =>
      transferOwnership(tx, principal, member_id),
    );
    if (outcome !== 'accepted')
      throw new ApiError('validation_failed', REJECTIONS[outcome], { param: 'code' });
    const home = `/dashboard/${principal.workspace_id}`;
    redirectWithNotice(ctx, home, 'Ownership transferred. You are now an admin.');
  };
}

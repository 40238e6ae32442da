import joi from 'joi';
import { listMembers } from '../../../../db/queries/members/member.js';
import { mayOwn, transferOwnership } from '../../../../commands/members/ownership.js';
import { ApiError } from '../../../../domain/errors.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { Handler } from '../../../../api/http/context.js';
import { memberId, searchText } from '../../../../api/http/fields.js';
import { REJECTIONS } from '../../../sign-in/code.js';
import { OwnCode, ownCodeFields, withCode } from '../../../sign-in/proof.js';
import { Select } from '../../shared/fields.js';
import { Filter } from '../../shared/list.js';
import { Form } from '../../shared/form.js';
import { redirectWithNotice } from '../../shared/notice.js';
import { showSection } from '../../shared/workspace.js';

const MAX_SHOWN = 200;

export const ownershipFields = { ...ownCodeFields, member_id: memberId.required() };

export const ownershipQuery = joi.object({ q: searchText.allow('') });

/**
 * `GET /dashboard/:workspace/ownership`: the form to transfer the workspace, among many members to
 * one that is searched for.
 */
export function showOwnership({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, member_id } = ctx.state.membership!;
    const { q } = ctx.state.query as { q?: string };
    const found = { workspace_id, q: q || undefined, is_accepted: true, limit: MAX_SHOWN };
    const members = await listMembers(db.manager, found);
    const candidates = members.filter((member) => member.id !== member_id && mayOwn(member));
    const action = `/dashboard/${workspace_id}/ownership${q ? `?${new URLSearchParams({ q })}` : ''}`;
    showSection(ctx, {
      title: 'Ownership',
      at: '/ownership',
      children: (
        <>
          {(q || members.length === MAX_SHOWN) && (
            <Filter ctx={ctx} fields={[{ name: 'q', label: 'Name or email' }]} />
          )}
          {candidates.length > 0 ? (
            <Form class="card" ctx={ctx} action={action}>
              <p>
                The selected member becomes the owner and you become an admin. Only the new owner can undo
                this.
              </p>
              <Select
                name="member_id"
                label="New owner"
                options={candidates.map(({ id, name, email }) => [id, `${name} (${email})`] as const)}
                chosen={[]}
              />
              {members.length === MAX_SHOWN && (
                <p class="hint">
                  These are the {MAX_SHOWN} latest members. Search for one who is not among them.
                </p>
              )}
              <OwnCode session={ctx.state.session!} />
              <button class="danger">Transfer ownership</button>
            </Form>
          ) : q ? (
            <p class="card">No member who has accepted the membership matches.</p>
          ) : (
            <p class="card">
              You are the owner. To transfer the workspace, first add the new owner as a member. They must
              accept the membership first. <a href={`/dashboard/${workspace_id}/members/new`}>Add a member</a>
            </p>
          )}
        </>
      ),
    });
  };
}

/**
 * Transfers the workspace in the transaction that accepts the code, or after a passkey
 * (docs/rules/members.md#ownership-transfer).
 */
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

import { listMembers } from '../../db/repositories/members/member-queries.js';
import { NEW_OWNER_STATUSES, transferOwnership } from '../../db/repositories/members/ownership.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../app.js';
import type { Handler } from '../http/context.js';
import { memberId } from '../http/validate.js';
import { codeFields, REFUSALS } from '../sign-in/code.js';
import { CodeField } from '../sign-in/forms.js';
import { takeCode } from '../sign-in/second-factor.js';
import { Select } from './fields.js';
import { Form } from './form.js';
import { showSection } from './workspace.js';

const MOST_SHOWN = 200;

export const ownershipFields = { ...codeFields, member_id: memberId.required() };

/** Asks to whom the workspace is to belong. */
export function askForOwner({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, member_id } = ctx.state.membership!;
    const members = await listMembers(db.manager, { workspace_id, limit: MOST_SHOWN });
    const heirs = members.filter(({ id, status }) => id !== member_id && NEW_OWNER_STATUSES.includes(status));
    showSection(ctx, {
      title: 'Ownership',
      at: '/ownership',
      children: (
        <Form class="card" ctx={ctx} action={`/dashboard/${workspace_id}/ownership`}>
          <p>
            The member you choose owns the workspace from then on, and you are an admin. Only they can undo
            it.
          </p>
          <Select
            name="member_id"
            label="New owner"
            options={heirs.map(({ id, name, email }) => [id, `${name} (${email})`])}
            chosen={[]}
          />
          <CodeField label="Code of your authenticator, or a recovery code" />
          <button class="danger">Hand the workspace over</button>
        </Form>
      ),
    });
  };
}

/** Hands the workspace over, in the transaction that takes the code (spec.md, "Members", rule 2). */
export function handOver(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const { code, member_id } = ctx.state.body as { code: string; member_id: string };
    const { principal } = ctx.state;
    const outcome = await takeCode(deps, principal.profile_id, code, {
      confirm: false,
      andThen: (tx) => transferOwnership(tx, principal, member_id),
    });
    if (outcome !== 'accepted') throw new ApiError('validation_failed', REFUSALS[outcome], { param: 'code' });
    ctx.redirect(`/dashboard/${principal.workspace_id}`);
  };
}

import joi from 'joi';
import { listCompanies } from '../../../db/queries/companies/company.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { startOfDay } from '../../../domain/cycle.js';
import { can } from '../../../domain/policies.js';
import { TIERS } from '../../../domain/rates/price.js';
import type { PresentedMember } from '../../../domain/members/presenter.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { uuid } from '../../../api/http/fields.js';
import { create } from '../../../api/resources/members/create.js';
import { createSchema } from '../../../api/resources/members/shape.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Choice, Select, TextField } from '../shared/fields.js';
import { textFields } from '../shared/declared-fields.js';
import type { Entered } from '../shared/declared-form.js';
import { Form } from '../shared/form.js';
import { showSection } from '../shared/workspace.js';
import { BILLED_OPTIONS, companyOptions, newMemberForm, ROLE_OPTIONS } from './member-fields.js';
import { MAX_COMPANIES } from './members.js';
import { tierOptions } from './tier-options.js';
import { OWN_LANGUAGE_OPTIONS } from '../shared/language-options.js';

export const newMemberQuery = joi.object({ company_id: uuid });

export const newMemberFields = {
  ...hiddenFields,
  ...newMemberForm.fields,
  ...textFields(createSchema, 'role'),
  trial_ends_at: joi.string().isoDate().allow(''),
  send_invite: joi.valid('on'),
};

interface NewMemberForm extends Entered<typeof newMemberForm> {
  role?: string;
  trial_ends_at?: string;
  send_invite?: 'on';
}

/** Adds a member like `POST /v1/members`. */
export const inviteForm = apiForm<NewMemberForm, PresentedMember>({
  handler: create,
  schema: createSchema,
  body: ({ role, trial_ends_at, send_invite, ...form }, ctx) => ({
    ...newMemberForm.body(form),
    ...(role && { role }),
    trial_ends_at: trial_ends_at
      ? startOfDay(trial_ends_at, ctx.state.membership!.time_zone).toISOString()
      : null,
    send_invite: send_invite === 'on',
  }),
  notice: ({ name, email, status }) =>
    status === 'invited'
      ? `The invite is being sent to ${email}. It is valid for seven days.`
      : `${name} is now a member.`,
  to: (_ctx, { id }) => `/members/${id}`,
});

/** What the form proposes when a role is chosen: staff do not pay for a plan, and have the first one. */
const PROPOSED = Object.fromEntries(
  ROLE_OPTIONS.map(([role]) => [
    role,
    role === 'member' ? { billed: 'true' } : { billed: 'false', tier: TIERS[0] },
  ]),
);

/** Whether the new member can do more than for themselves. */
export const givesRole = async (ctx: ApiContext): Promise<boolean> =>
  !['', 'member', undefined].includes((ctx.state.body as NewMemberForm).role);

/** `GET /dashboard/:workspace/members/new`: the form to add a member. */
export function showNewMember({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, role } = ctx.state.membership!;
    const workspace = (await findWorkspace(db.manager, workspace_id))!;
    const companies = await listCompanies(db.manager, { workspace_id, limit: MAX_COMPANIES });
    const { company_id } = ctx.state.query as { company_id?: string };
    showSection(ctx, {
      title: 'Add a member',
      at: '/members',
      children: (
        <Form class="card" ctx={ctx} action={pathIn(ctx, '/members/new')} once>
          {can(role, 'change_role') && (
            <div data-fills={JSON.stringify(PROPOSED)}>
              <Select name="role" label="Role" options={ROLE_OPTIONS} chosen={['member']} />
            </div>
          )}
          <newMemberForm.Inputs
            of={{ company_id, billed: true }}
            options={{
              tier: tierOptions(ctx, workspace),
              company_id: companyOptions(companies),
              billed: BILLED_OPTIONS,
              locale: OWN_LANGUAGE_OPTIONS,
            }}
          />
          <TextField name="trial_ends_at" label="Trial ends (optional)" type="date" />
          <Choice name="send_invite" checked>
            Send an invite. Without one, they become a member immediately and get no email.
          </Choice>
          <button>Add member</button>
        </Form>
      ),
    });
  };
}

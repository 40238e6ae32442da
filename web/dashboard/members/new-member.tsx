import joi from 'joi';
import { listCompanies } from '../../../db/queries/members/company.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { startOfDay } from '../../../domain/cycle.js';
import type { PresentedMember } from '../../../domain/presenters/member.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { uuid } from '../../../api/http/fields.js';
import { create } from '../../../api/resources/members/create.js';
import { createSchema } from '../../../api/resources/members/shape.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Choice, Select, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';
import { showSection } from '../shared/workspace.js';
import { MAX_COMPANIES } from './members.js';
import { tierOptions } from './tier-options.js';
import { inputOf, textFields } from '../shared/declared-fields.js';

export const newMemberQuery = joi.object({ company_id: uuid });

export const newMemberFields = {
  ...hiddenFields,
  ...textFields(createSchema, 'email', 'name', 'tier', 'company_id'),
  trial_ends_at: joi.string().isoDate().allow(''),
  send_invite: joi.valid('on'),
};

interface NewMemberForm {
  email: string;
  name?: string;
  tier: string;
  company_id?: string;
  trial_ends_at?: string;
  send_invite?: 'on';
}

/** Adds a member like `POST /v1/members`. */
export const inviteForm = apiForm<NewMemberForm, PresentedMember>({
  handler: create,
  schema: createSchema,
  body: ({ email, name, tier, company_id, trial_ends_at, send_invite }, ctx) => ({
    email,
    ...(name && { name }),
    tier,
    company_id: company_id || null,
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

/** `GET /dashboard/:workspace/members/new`: the form to add a member. */
export function showNewMember({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const workspace = (await findWorkspace(db.manager, workspace_id))!;
    const companies = await listCompanies(db.manager, { workspace_id, limit: MAX_COMPANIES });
    const { company_id } = ctx.state.query as { company_id?: string };
    showSection(ctx, {
      title: 'Add a member',
      at: '/members',
      children: (
        <Form class="card" ctx={ctx} action={pathIn(ctx, '/members/new')} once>
          <TextField {...inputOf(createSchema, 'email')} label="Email" type="email" />
          <TextField {...inputOf(createSchema, 'name')} label="Name (optional)" />
          <Select name="tier" label="Tier" options={tierOptions(ctx, workspace)} chosen={['basic']} />
          <Select
            name="company_id"
            label="Paid by company"
            optional
            options={[
              ['', 'none (the member pays)'],
              ...companies.map(({ id, name }) => [id, name] as const),
            ]}
            chosen={[company_id ?? '']}
          />
          <TextField name="trial_ends_at" label="Trial ends (optional)" type="date" />
          <Choice name="send_invite" checked>
            Send an invite. Without one, they become a member immediately and get no email.
          </Choice>
          <p class="hint">Everyone starts with the role Member. You can change it on their page.</p>
          <button>Add member</button>
        </Form>
      ),
    });
  };
}

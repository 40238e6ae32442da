import joi from 'joi';
import { uuid } from '../../../api/http/fields.js';
import { createMember } from '../../../api/resources/members/operations.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { startOfDay } from '../../../domain/cycle.js';
import { can } from '../../../domain/policies.js';
import { TIERS } from '../../../domain/rates/price.js';
import { readCompanies, type WithCompanies } from '../companies/choice.js';
import { form } from '../forms/form.js';
import { fieldInput, type Input, type Options } from '../forms/inputs.js';
import { page } from '../forms/page.js';
import { Select, TextField } from '../shared/fields.js';
import { memberInputs, ROLE_OPTIONS } from './member-fields.js';
import { tierOptions } from './tier-options.js';

interface NewMember extends WithCompanies {
  tiers: Options;
  /** The company that the form starts with. */
  company_id: string | undefined;
}

/** Defaults for a chosen role: staff have the first plan and do not pay for it. */
const PROPOSED = Object.fromEntries(
  ROLE_OPTIONS.map(([role]) => [
    role,
    role === 'member' ? { billed: 'true' } : { billed: 'false', tier: TIERS[0] },
  ]),
);

/** Shown to those who may assign roles. */
const role: Input<NewMember> = {
  fields: (name) => ({ [name]: joi.string().trim().allow('') }),
  read: (name, form) => ({ [name]: form[name] || undefined }),
  Show: ({ name, shown: { ctx } }) =>
    can(ctx.state.membership!.role, 'change_role') ? (
      <div data-fills={JSON.stringify(PROPOSED)}>
        <Select name={name} label="Role" options={ROLE_OPTIONS} chosen={['member']} />
      </div>
    ) : null,
  wide: () => true,
  called: () => ({}),
};

/** The day that ends a trial, in the time zone of the workspace. */
const trialEnd: Input<NewMember> = {
  fields: (name) => ({ [name]: joi.string().isoDate().allow('') }),
  read: (name, form, { entry }) => ({
    [name]: form[name] ? startOfDay(form[name] as string, entry.time_zone).toISOString() : null,
  }),
  Show: ({ name }) => <TextField name={name} label="Trial ends" type="date" />,
  wide: () => true,
  called: () => ({}),
};

const { company_id, ...others } = memberInputs<NewMember>();

const addMember = form(
  createMember,
  {
    role,
    email: 'Email',
    name: 'Name',
    tier: fieldInput<NewMember>({
      label: 'Plan',
      options: ({ tiers }) => tiers,
      required: true,
      wide: true,
    }),
    company_id: { ...company_id, initial: (data) => data.company_id },
    ...others,
    trial_ends_at: trialEnd,
    send_invite: {
      label: 'Send an invite',
      initial: 'on',
    },
  },
  {
    button: 'Add member',
    hint: 'Without an invite, they join immediately and get no email.',
    // The new member gets more than a member's rights.
    proof: ({ body }) => body.role !== 'member',
    notice: ({ object: { name, email, status } }) =>
      status === 'invited'
        ? `The invite is being sent to ${email}. It is valid for seven days.`
        : `${name} is now a member.`,
    to: ({ object: { id } }) => `/members/${id}`,
  },
);

export const newMemberPage = page({
  path: '/members/new',
  at: '/members',
  capability: 'invite_members',
  query: joi.object({ company_id: uuid }),
  title: 'New member',
  async load(request, deps): Promise<NewMember> {
    const { ctx, caller } = request;
    const { company_id } = request.query as { company_id?: string };
    const [workspace, companies] = await Promise.all([
      findWorkspace(deps.db.manager, caller.workspace_id),
      readCompanies(request, deps, company_id ? [company_id] : []),
    ]);
    return { tiers: tierOptions(ctx, workspace!), companies, company_id };
  },
  view: (props) => <addMember.Open page={props} />,
  forms: [addMember],
});

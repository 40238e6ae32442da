import type { MemberRow } from '../../../db/queries/members/member.js';
import type { Company } from '../../../db/entities/members.js';
import type { Workspace } from '../../../db/entities/workspaces.js';
import {
  whyNotEdit,
  whyNotInvite,
  whyNotStatus,
  whyProtected,
  type MemberChanges,
} from '../../../domain/members/edit.js';
import { can } from '../../../domain/policies.js';
import { canMove, MEMBER_TRANSITIONS } from '../../../domain/states.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { pathIn } from '../shared/api-form.js';
import { Select, TextField } from '../shared/fields.js';
import { BILLED_OPTIONS, companyOptions, memberForm, ROLE_OPTIONS } from './member-fields.js';
import { tierOptions } from './tier-options.js';
import { inputOf } from '../shared/declared-fields.js';
import { updateSchema } from '../../../api/resources/members/shape.js';
import { OWN_LANGUAGE_OPTIONS } from '../shared/language-options.js';

interface Props {
  ctx: ApiContext;
  member: MemberRow;
  workspace: Workspace;
  companies: Company[];
}

export function EditDetails({ ctx, member, companies }: Props) {
  const may = (changes: MemberChanges): boolean => !whyNotEdit(ctx.state.membership!, member, changes);
  if (!may({ name: member.name })) return null;
  return (
    <Action ctx={ctx} action={pathIn(ctx, `/members/${member.id}/details`)} summary="Edit" button="Save">
      <memberForm.Inputs
        of={member}
        options={{
          company_id: companyOptions(companies),
          billed: BILLED_OPTIONS,
          locale: OWN_LANGUAGE_OPTIONS,
        }}
        may={(name) => may({ [name]: member[name] })}
      />
      {!may({ email: member.email }) && (
        <p class="hint">Owners and admins change their own email address on their account page.</p>
      )}
    </Action>
  );
}

/** Changes of a member's tier, role and status, for roles that may. */
export function Administration({ ctx, member, workspace }: Props) {
  const { role } = ctx.state.membership!;
  const at = pathIn(ctx, `/members/${member.id}`);
  const { status } = member;
  const may = (changes: MemberChanges): boolean => !whyNotEdit(ctx.state.membership!, member, changes);
  const mayBecome = (wanted: 'active' | 'paused'): boolean =>
    status !== wanted && may({ status: wanted }) && !whyNotStatus(status, wanted);
  return (
    <>
      {may({ tier: member.tier }) && (
        <Action ctx={ctx} action={`${at}/tier`} summary="Change plan" button="Continue">
          <Select name="tier" label="Plan" options={tierOptions(ctx, workspace)} chosen={[member.tier]} />
          <TextField
            {...inputOf(updateSchema, 'tier_change_reason')}
            label="Reason (optional, kept in the audit log)"
          />
        </Action>
      )}
      {may({ role: 'member' }) && (
        <Action ctx={ctx} action={`${at}/role`} summary="Change role" button="Change role">
          <Select name="role" label="Role" options={ROLE_OPTIONS} chosen={[member.role]} />
        </Action>
      )}
      {can(role, 'invite_members') && !whyNotInvite(member) && (
        <Action ctx={ctx} action={`${at}/resend-invite`} summary="Resend invite" button="Resend invite">
          <p class="hint">The previous invite link stops working.</p>
        </Action>
      )}
      {mayBecome('active') && (
        <Action
          ctx={ctx}
          action={`${at}/activate`}
          summary={status === 'archived' ? 'Restore' : 'Activate'}
          button={`Activate ${member.name}`}
        >
          <p class="hint">Their plan is invoiced from today.</p>
        </Action>
      )}
      {mayBecome('paused') && (
        <Action ctx={ctx} action={`${at}/pause`} summary="Pause" button={`Pause ${member.name}`}>
          <p class="hint">No invoices are created from the next month on. Existing invoices stay due.</p>
        </Action>
      )}
      {can(role, 'archive_members') &&
        !whyProtected(member) &&
        canMove(MEMBER_TRANSITIONS.archive, status) && (
          <Action ctx={ctx} action={`${at}/archive`} summary="Archive" button={`Archive ${member.name}`} rare>
            <p>
              Their API keys, application access and open invite are revoked. Bookings and invoices are kept.
            </p>
          </Action>
        )}
      {can(role, 'hard_delete') && !whyProtected(member) && (
        <Action
          ctx={ctx}
          action={`${at}/erase`}
          summary="Erase"
          button={`Erase ${member.name} permanently`}
          rare
        >
          <p>
            Name and email address are deleted everywhere, including past bookings and events. The bookings,
            invoices and payments themselves are kept. This cannot be undone.
          </p>
        </Action>
      )}
    </>
  );
}

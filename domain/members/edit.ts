import type { Refusal } from '../errors.js';
import { whyNotCan, type Capability, type Principal, type Role } from '../policies.js';
import type { MetadataChange } from '../metadata.js';
import type { PayerChanges } from '../invoices/payer.js';
import type { Tier } from '../rates/price.js';
import { canMove, MEMBER_TRANSITIONS, type MemberStatus } from '../states.js';
import type { Language } from '../words/languages.js';

/** The fields of `PATCH /v1/members/{id}` to which rules apply. */
export interface MemberChanges extends PayerChanges {
  name?: string;
  email?: string;
  company_id?: string | null;
  locale?: Language | null;
  status?: 'active' | 'paused' | 'cancelled';
  role?: Exclude<Role, 'owner'>;
  billed?: boolean;
  tier?: Tier;
  tier_change_reason?: string;
  metadata?: MetadataChange;
}

/** The capability that is needed to change a field of another member, if it is more than `update_others`. */
const FIELD_CAPABILITIES: { [field: string]: Capability | undefined } = {
  status: 'archive_members',
  role: 'change_role',
  billed: 'write_billing',
  tier: 'change_tier',
  tier_change_reason: 'change_tier',
  payment_terms: 'write_billing',
  credit_limit_minor: 'write_billing',
  monthly_statement: 'write_billing',
  autopay: 'write_billing',
};
/** The fields that members can change about themselves. */
const OWN_PROFILE = new Set<string>(['name', 'email', 'locale']);
/** The fields of an owner that cannot be changed through the API. */
const OWNER_PROTECTED = new Set<string>(['status', 'role', 'email']);

interface EditedMember {
  id: string;
  role: Role;
  status: MemberStatus;
}

const notEditable = (reason: string, message: string, param?: string): Refusal => ({
  code: 'member_not_editable',
  message,
  details: { reason },
  param,
});

/**
 * Returns why a member is protected from a change, or null: they are the owner
 * (docs/rules/members.md#owner-protection).
 */
export const whyNotEditOwner = ({ role }: Pick<EditedMember, 'role'>): Refusal | null =>
  role === 'owner'
    ? {
        code: 'owner_protected',
        message: 'The owner is protected from this change. Transfer the ownership in the dashboard first.',
        details: { reason: 'owner' },
      }
    : null;

/** Returns why a caller may not change a field of a member, or null. */
function whyNotField(
  caller: Pick<Principal, 'member_id' | 'role'>,
  member: EditedMember,
  field: string,
): Refusal | null {
  const own = caller.member_id === member.id && OWN_PROFILE.has(field);
  const refusal =
    whyNotCan(caller.role, own ? 'update_own_profile' : (FIELD_CAPABILITIES[field] ?? 'update_others')) ??
    (OWNER_PROTECTED.has(field) ? whyNotEditOwner(member) : null);
  // Whoever can change an address can take over what it gives access to.
  if (refusal || field !== 'email' || member.role !== 'admin' || caller.role === 'owner') return refusal;
  return {
    code: 'role_insufficient',
    message:
      "An admin's email address can be changed only by the owner, or by the admin on their account " +
      'page.',
    details: { reason: 'admin_address' },
    param: 'email',
  };
}

/**
 * Returns why a caller may not make these changes, or null (docs/rules/members.md#roles,
 * docs/rules/members.md#owner-protection). An archived member can only be changed together with an
 * activation.
 */
export function whyNotEdit(
  caller: Pick<Principal, 'member_id' | 'role'>,
  member: EditedMember,
  changes: MemberChanges,
): Refusal | null {
  for (const field of Object.keys(changes)) {
    const refusal = whyNotField(caller, member, field);
    if (refusal) return refusal;
  }
  return member.status === 'archived' && changes.status !== 'active'
    ? notEditable('archived', 'This member is archived. To change the member, also set status to active.')
    : null;
}

const TRIGGER = { active: 'activate', paused: 'pause', cancelled: 'cancel' } as const;

/**
 * Returns why a `PATCH` cannot set a member's status, or null (docs/rules/members.md#states): there is no
 * such transition. The current status is always allowed.
 */
export const whyNotStatus = (
  from: MemberStatus,
  wanted: NonNullable<MemberChanges['status']>,
): Refusal | null =>
  from === wanted || canMove(MEMBER_TRANSITIONS[TRIGGER[wanted]], from)
    ? null
    : notEditable('status', `A member with status ${from} cannot become ${wanted}.`, 'status');

/** Returns why a member has no invite to resend, or null (docs/rules/members.md#invites). */
export const whyNotInvite = ({ status }: Pick<EditedMember, 'status'>): Refusal | null =>
  canMove(MEMBER_TRANSITIONS.sign_up, status)
    ? null
    : {
        code: 'member_not_invited',
        message: `A member with status ${status} has no invite to resend.`,
        details: { reason: 'status' },
      };

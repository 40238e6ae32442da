import { ApiError } from './errors.js';
import { assertCan, type Capability, type Principal, type Role } from './policies.js';
import type { PayerChanges } from './payer.js';
import type { Tier } from './price.js';
import { MEMBER_TRANSITIONS, type MemberStatus } from './states.js';

/** The fields of `PATCH /v1/members/{id}`. */
export interface MemberChanges extends PayerChanges {
  name?: string;
  email?: string;
  company_id?: string | null;
  status?: 'active' | 'paused' | 'cancelled';
  role?: Exclude<Role, 'owner'>;
  tier?: Tier;
  tier_change_reason?: string;
}

/** The capability required to change each field of another member. */
const CAPABILITY_OF: Record<keyof MemberChanges, Capability> = {
  name: 'update_others',
  email: 'update_others',
  company_id: 'update_others',
  status: 'archive_members',
  role: 'change_role',
  tier: 'change_tier',
  tier_change_reason: 'change_tier',
  payment_terms: 'write_billing',
  credit_limit_minor: 'write_billing',
  monthly_statement: 'write_billing',
  autopay: 'write_billing',
};
/** The fields that members can change on themselves. */
const OWN_PROFILE = new Set<string>(['name', 'email']);
/** The fields of an owner that nobody can change through the API. */
const OWNER_PROTECTED = new Set<string>(['status', 'role', 'email']);

interface Target {
  id: string;
  role: Role;
  status: MemberStatus;
}

/**
 * Checks that a caller may make these changes (docs/rules/members.md#roles, docs/rules/members.md#owner-protection).
 * Errors: 403 `role_insufficient`, `owner_protected`; 409 `member_not_editable` for an archived member, unless the
 * change activates it.
 */
export function assertCanEdit(
  principal: Pick<Principal, 'member_id' | 'role'>,
  member: Target,
  changes: MemberChanges,
): void {
  const own = principal.member_id === member.id;
  for (const field of Object.keys(changes) as (keyof MemberChanges)[]) {
    assertCan(principal.role, own && OWN_PROFILE.has(field) ? 'update_own_profile' : CAPABILITY_OF[field]);
    if (member.role === 'owner' && OWNER_PROTECTED.has(field)) throw ownerProtected();
  }
  // A person who can change an address can take over what it gives access to.
  if (changes.email !== undefined && member.role === 'admin' && principal.role !== 'owner') {
    const message =
      "An admin's email address can be changed by the owner, or by the admin on their account page.";
    throw new ApiError('role_insufficient', message, { param: 'email' });
  }
  if (member.status === 'archived' && changes.status !== 'active') {
    throw new ApiError(
      'member_not_editable',
      'This member is archived. To change them, also set status to active.',
    );
  }
}

/** The 403 for a change that an owner is protected from (docs/rules/members.md#owner-protection). */
export function ownerProtected(): ApiError {
  return new ApiError(
    'owner_protected',
    'The owner is protected from this change. Transfer the ownership in the dashboard first.',
  );
}

const TRIGGER = { active: 'activate', paused: 'pause', cancelled: 'cancel' } as const;

/**
 * The status after a `PATCH` of it (docs/rules/members.md#states). Errors: 409 `member_not_editable` if there is no
 * such transition.
 */
export function statusAfter(from: MemberStatus, wanted: NonNullable<MemberChanges['status']>): MemberStatus {
  if (from === wanted) return from;
  const transition = MEMBER_TRANSITIONS[TRIGGER[wanted]];
  if ((transition.from as readonly MemberStatus[]).includes(from)) return transition.to;
  throw new ApiError('member_not_editable', `A member with status ${from} cannot become ${wanted}.`, {
    param: 'status',
  });
}

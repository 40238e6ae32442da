import { isDeepStrictEqual } from 'node:util';
import { dayIn } from '../../../domain/cycle.js';
import type { EventType } from '../../../domain/events.js';
import {
  assertCanEdit,
  ownerProtected,
  statusAfter,
  type MemberChanges,
} from '../../../domain/member-edit.js';
import type { Principal } from '../../../domain/policies.js';
import { presentMember, type PresentedMember } from '../../../domain/presenters/member.js';
import type { Tier } from '../../../domain/price.js';
import { MEMBER_TRANSITIONS } from '../../../domain/states.js';
import { tierAfterRequest, isUpgrade } from '../../../domain/tiers.js';
import { ApiError } from '../../../domain/errors.js';
import type { Tx } from '../../transaction.js';
import { revokeApiKeys } from '../access/api-keys.js';
import { audit, auditEdit, type Actor } from '../workspaces/audit.js';
import { findCompany } from './companies.js';
import { insertEvent } from '../events/events.js';
import { endInvite, findInvite, newInvite, renewInvite } from './invites.js';
import { anchorPayer, findMember, insertMember, lockMember, type MemberRow } from './members.js';
import { changePayer } from '../billing/subscriptions.js';
import { insertTierChange } from './tier-changes.js';
import { findOrCreateProfile, findProfile, eraseProfile, updateProfile } from './profiles.js';

/** What `POST /v1/members` asks for. */
export interface MemberRequest {
  id: string;
  email: string;
  name?: string;
  tier: Tier;
  company_id: string | null;
  send_invite: boolean;
  trial_ends_at: Date | null;
}

const notFound = (): ApiError => new ApiError('member_not_found', 'There is no such member.');

/** Stores an event about a member as it is now. The caller holds its lock. Returns the event's id. */
export function recordMemberEvent(
  tx: Tx,
  type: EventType,
  member: MemberRow,
  previous?: Partial<PresentedMember>,
): Promise<string> {
  const { workspace_id, updated_at: created_at } = member;
  return insertEvent(tx, { type, workspace_id, object: presentMember(member), previous, created_at });
}

async function assertCompany(tx: Tx, workspaceId: string, id: string | null | undefined): Promise<void> {
  if (!id || (await findCompany(tx, workspaceId, id))) return;
  throw new ApiError('company_not_found', 'There is no such company.', { param: 'company_id' });
}

/**
 * Adds a member (spec.md, "Member"): invited, and owed a mail, or active at once, or on trial. Errors: 404
 * `company_not_found`, 409 `member_exists`.
 */
export async function createMember(tx: Tx, principal: Principal, request: MemberRequest): Promise<void> {
  const { workspace_id } = principal;
  const { id, email, send_invite, trial_ends_at, ...rest } = request;
  await assertCompany(tx, workspace_id, request.company_id);
  const member = await insertMember(tx, {
    ...rest,
    id,
    workspace_id,
    email,
    name: request.name ?? email.split('@')[0]!,
    role: 'member',
    trial_ends_at,
    status: send_invite ? 'invited' : trial_ends_at ? 'trialing' : 'active',
    ...(send_invite && { invite: newInvite() }),
  });
  const type = send_invite ? 'member.invited' : 'member.created';
  await recordMemberEvent(tx, type, member);
  const { tier, status, role, company, trial_ends_at: trial } = presentMember(member);
  const details = { after: { tier, status, role, company, trial_ends_at: trial } };
  await audit(tx, principal, { action: type, object: id, details });
}

/** Makes an invite that replaces the one before. Errors: 404, 409 `member_not_invited`. */
export async function resendInvite(tx: Tx, principal: Principal, id: string): Promise<void> {
  const member = await lockMember(tx, principal.workspace_id, id);
  if (!member) throw notFound();
  if (member.status !== 'invited')
    throw new ApiError('member_not_invited', `The member is ${member.status}: there is no invite to send.`);
  await renewInvite(tx, member);
  await recordMemberEvent(tx, 'member.invited', member);
  await audit(tx, principal, { action: 'member.invited', object: id, details: {} });
}

/**
 * Finishes the signup of who was invited, under the name they give; from now on no link of theirs works (spec.md,
 * "Member"). Returns false where this link doesn't any more.
 */
export async function acceptInvite(tx: Tx, inviteId: string, name: string): Promise<boolean> {
  const invite = await findInvite(tx, inviteId);
  if (!invite) return false;
  const { member_id: id, workspace_id } = invite;
  const member = (await lockMember(tx, workspace_id, id))!;
  // Whoever else had the lock may have used the link, or sent a newer one.
  const open = await findInvite(tx, inviteId);
  if (!open || open.expires_at <= new Date()) return false;
  await endInvite(tx, id);
  await updateProfile(tx, member.profile_id, { name });
  const { to } = MEMBER_TRANSITIONS.sign_up;
  const onTrial = member.trial_ends_at && member.trial_ends_at > new Date();
  await tx.query(
    `UPDATE members m SET status = $2, joined_at = clock_timestamp(), updated_at = clock_timestamp(),
            cycle_starts_on = (now() AT TIME ZONE w.time_zone)::date
     FROM workspaces w WHERE m.id = $1 AND w.id = m.workspace_id`,
    [id, onTrial ? 'trialing' : to],
  );
  if (!onTrial) await anchorPayer(tx, id);
  await recordMemberEvent(tx, 'member.activated', (await findMember(tx, workspace_id, id))!);
  return true;
}

/**
 * Renames the person, or gives them another mail address. One whom other workspaces know too stays as they are there:
 * this membership moves to the person behind the new address, who keeps the name they have, and so it does where that
 * person exists. A person without a membership is forgotten. Errors: 409 `member_exists`.
 */
async function changePerson(tx: Tx, member: MemberRow, { name, email }: MemberChanges): Promise<void> {
  const { profile_id } = member;
  const known = email ? await findProfile(tx, email) : profile_id;
  if (known === profile_id || (known === null && member.workspaces === 1))
    return updateProfile(tx, profile_id, { name, email: member.workspaces === 1 ? email : undefined });
  const profileId = await findOrCreateProfile(tx, { email: email!, name: name ?? member.name });
  await tx.query(`UPDATE members SET profile_id = $2 WHERE id = $1`, [member.id, profileId]);
  await eraseProfile(tx, profile_id);
}

/** The fields in which two presentations differ, as the first has them. */
function differing(before: PresentedMember, after: PresentedMember): Partial<PresentedMember> {
  return Object.fromEntries(
    Object.entries(before).filter(
      ([field, value]) =>
        field !== 'updated_at' && !isDeepStrictEqual(value, after[field as keyof PresentedMember]),
    ),
  );
}

/**
 * Changes a member for a caller (spec.md, "Members"; decisions.md, same). Errors: 403 `role_insufficient`,
 * `owner_protected`; 404 `member_not_found`, `company_not_found`; 409 `member_exists`, `member_not_editable`.
 */
export async function updateMember(
  tx: Tx,
  principal: Principal,
  id: string,
  changes: MemberChanges,
): Promise<void> {
  const { workspace_id } = principal;
  const member = await lockMember(tx, workspace_id, id);
  if (!member) throw notFound();
  assertCanEdit(principal, member, changes);
  await assertCompany(tx, workspace_id, changes.company_id);
  await changePerson(tx, member, changes);
  const status = changes.status ? statusAfter(member.status, changes.status) : member.status;
  const { tier, pending_tier, pending_tier_at } = changes.tier
    ? tierAfterRequest(changes.tier, { ...member, status }, new Date())
    : member;
  await tx.query(
    `UPDATE members SET status = $2, company_id = $3, role = $4, tier = $5, pending_tier = $6, pending_tier_at = $7,
            archived_at = CASE WHEN $2 = 'archived' THEN archived_at END,
            joined_at = CASE WHEN $2 IN ('invited', 'archived') THEN joined_at ELSE coalesce(joined_at, now()) END
     WHERE id = $1`,
    [
      id,
      status,
      changes.company_id === undefined ? member.company_id : changes.company_id,
      changes.role ?? member.role,
      tier,
      pending_tier,
      pending_tier_at,
    ],
  );
  const { company_id } = changes;
  if (company_id !== undefined && company_id !== member.company_id)
    await changePayer(tx, id, company_id, dayIn(member.time_zone, new Date()));
  if (status === 'active') await anchorPayer(tx, id);
  if (member.status === 'invited' && changes.email !== undefined) await renewInvite(tx, member);
  await recordMemberChange(tx, principal, member, changes.tier_change_reason);
}

const tierOf = ({ tier, pending_tier, pending_tier_at }: PresentedMember) => ({
  tier,
  pending_tier,
  pending_tier_at,
});

const withoutTier = ({ name, email, status, role, company }: PresentedMember) => ({
  name,
  email,
  status,
  role,
  company,
});

/**
 * Stores what a change made of a member: events, audit entries, its time, and an upgrade that has to be paid for. One
 * that changed nothing leaves no trace.
 */
export async function recordMemberChange(
  tx: Tx,
  by: Actor,
  member: MemberRow,
  tierChangeReason?: string,
): Promise<void> {
  const before = presentMember(member);
  const { workspace_id, id } = member;
  const previous = differing(before, presentMember((await findMember(tx, workspace_id, id))!));
  if (Object.keys(previous).length === 0) return;
  await tx.query(`UPDATE members SET updated_at = clock_timestamp() WHERE id = $1`, [id]);
  const now = (await findMember(tx, workspace_id, id))!;
  const after = presentMember(now);
  if (previous.tier) {
    const { tier: from_tier } = previous;
    const event_id = await recordMemberEvent(tx, 'member.tier_changed', now, { tier: from_tier });
    if (now.status === 'active' && isUpgrade(from_tier, now.tier))
      await insertTierChange(tx, now, { event_id, from_tier });
  }
  await recordMemberEvent(tx, 'member.updated', now, previous);
  if (previous.role) await recordMemberEvent(tx, 'member.role_changed', now, { role: previous.role });

  await auditEdit(tx, by, {
    action: 'member.updated',
    object: id,
    before: withoutTier(before),
    after: withoutTier(after),
  });
  if (previous.tier || 'pending_tier' in previous) {
    const details = {
      before: tierOf(before),
      after: tierOf(after),
      tier_change_reason: tierChangeReason ?? null,
    };
    await audit(tx, by, { action: 'member.tier_changed', object: id, details });
  }
}

/** Archives a member: its keys end, its bookings stand. Once more changes nothing. Errors: 403 `owner_protected`, 404. */
export async function archiveMember(tx: Tx, principal: Principal, id: string): Promise<void> {
  const member = await lockMember(tx, principal.workspace_id, id);
  if (!member) throw notFound();
  if (member.role === 'owner') throw ownerProtected();
  if (member.status === 'archived') return;
  await tx.query(
    `UPDATE members SET status = 'archived', archived_at = clock_timestamp(), updated_at = clock_timestamp(),
            pending_tier = NULL, pending_tier_at = NULL
     WHERE id = $1`,
    [id],
  );
  await revokeApiKeys(tx, principal, { member_id: id });
  await endInvite(tx, id);
  await recordMemberEvent(tx, 'member.archived', (await findMember(tx, principal.workspace_id, id))!);
  const details = { before: { status: member.status }, after: { status: 'archived' } };
  await audit(tx, principal, { action: 'member.archived', object: id, details });
}

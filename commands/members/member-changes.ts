import { isDeepStrictEqual } from 'node:util';
import type { EventType } from '../../domain/events/types.js';
import type { Principal, Role } from '../../domain/policies.js';
import { presentMember, type PresentedMember } from '../../domain/members/presenter.js';
import { isUpgrade } from '../../domain/members/tiers.js';
import { CLOCK } from '../../db/database-time.js';
import { Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { insertEvent } from '../events/events.js';
import { audit, auditEdit, type Actor } from '../audit-log/audit.js';
import { findMember, type MemberRow } from '../../db/queries/members/member.js';
import { enqueueMail } from '../mail/mails.js';
import { insertTierChange } from '../subscriptions/tier-changes.js';

/** Stores an event with the given state of a locked member. Returns the event's id. */
export function recordMemberEvent(
  tx: Tx,
  type: EventType,
  member: MemberRow,
  previous?: Partial<PresentedMember>,
): Promise<string> {
  const { workspace_id, updated_at: created_at } = member;
  return insertEvent(tx, { type, workspace_id, object: presentMember(member), previous, created_at });
}

/** Reports a new admin to the owner by mail, unless the owner made the change in the dashboard. */
export async function reportAdmin(
  tx: Tx,
  { workspace_id, role, key_id }: Principal,
  made: { role?: Role },
  eventId: string,
): Promise<void> {
  if (made.role !== 'admin' || (role === 'owner' && key_id === null)) return;
  await enqueueMail(tx, { workspace_id, kind: 'admin_added', about: eventId });
}

/** Returns the fields in which two presentations differ, with the values of the first. */
function differing(before: PresentedMember, after: PresentedMember): Partial<PresentedMember> {
  return Object.fromEntries(
    Object.entries(before).filter(
      ([field, value]) =>
        field !== 'updated_at' && !isDeepStrictEqual(value, after[field as keyof PresentedMember]),
    ),
  );
}

/**
 * The fields of an audit entry about the tier. An entry about the member has the other fields that staff can
 * change.
 */
const TIER = ['tier', 'pending_tier', 'pending_tier_at'] as const;
const OTHERS = [
  'name',
  'email',
  'status',
  'role',
  'billed',
  'company',
  'payment_terms',
  'credit_limit_minor',
  'monthly_statement',
  'autopay',
  'metadata',
] as const;

const pick = (member: PresentedMember, fields: readonly (keyof PresentedMember)[]): Record<string, unknown> =>
  Object.fromEntries(fields.map((field) => [field, member[field]]));

/**
 * Records how a locked member differs from its earlier state: sets `updated_at`, stores events, audit entries
 * and an upgrade to bill. Returns the id of the event `member.updated`; null if nothing differs.
 */
export async function recordMemberChange(
  tx: Tx,
  by: Actor,
  member: MemberRow,
  tierChangeReason?: string,
): Promise<string | null> {
  const before = presentMember(member);
  const { workspace_id, id } = member;
  const previous = differing(before, presentMember((await findMember(tx, workspace_id, id))!));
  if (Object.keys(previous).length === 0) return null;
  await tx.update(Member, { id }, { updated_at: CLOCK });
  const now = (await findMember(tx, workspace_id, id))!;
  const after = presentMember(now);
  if (previous.tier) {
    const { tier: from_tier } = previous;
    const event_id = await recordMemberEvent(tx, 'member.tier_changed', now, { tier: from_tier });
    if (now.status === 'active' && now.billed && isUpgrade(from_tier, now.tier))
      await insertTierChange(tx, now, { event_id, from_tier });
  }
  const updated = await recordMemberEvent(tx, 'member.updated', now, previous);
  if (previous.role) await recordMemberEvent(tx, 'member.role_changed', now, { role: previous.role });

  await auditEdit(tx, by, {
    action: 'member.updated',
    object: id,
    before: pick(before, OTHERS),
    after: pick(after, OTHERS),
  });
  if (previous.tier || 'pending_tier' in previous) {
    const details = {
      before: pick(before, TIER),
      after: pick(after, TIER),
      tier_change_reason: tierChangeReason ?? null,
    };
    await audit(tx, by, { action: 'member.tier_changed', object: id, details });
  }
  return updated;
}

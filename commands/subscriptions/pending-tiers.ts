import { dayIn, startOfDay, type Day } from '../../domain/cycle.js';
import { Member } from '../../db/entities/members.js';
import { column, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { findMember, type MemberRow } from '../../db/queries/members/member.js';
import type { Actor } from '../audit-log/audit.js';
import { recordMemberChange } from '../members/member-changes.js';
import { lockMember } from '../members/members.js';

/**
 * Moves a member's pending downgrade to the next month of their payer, if the payer or the days on which its
 * months begin have changed (docs/rules/members.md#tiers). `before` is the member before the change. A
 * downgrade that is due stays due.
 */
export async function waitForPayer(tx: Tx, before: MemberRow): Promise<void> {
  const { id, workspace_id } = before;
  const { cycle_anchor, time_zone, pending_tier_at } = (await findMember(tx, workspace_id, id))!;
  if (cycle_anchor === before.cycle_anchor || !pending_tier_at || pending_tier_at <= new Date()) return;
  const { next } = await one<{ next: Day | null }>(
    tx,
    `SELECT CASE WHEN c.id IS NULL THEN coalesce(m.next_period_on, m.billing_anchor)
                 ELSE coalesce(c.next_period_on, c.billing_anchor) END::text AS next
     FROM members m LEFT JOIN companies c ON c.id = m.company_id WHERE m.id = $1`,
    [id],
  );
  if (next) await tx.update(Member, { id }, { pending_tier_at: startOfDay(next, time_zone) });
}

/**
 * Moves the pending downgrades of a workspace to the same days in its new time zone, with an event for each
 * member. A downgrade that is due stays due.
 */
export async function waitInZone(
  tx: Tx,
  by: Actor,
  { id: workspaceId, time_zone: former }: { id: string; time_zone: string },
  zone: string,
): Promise<void> {
  const waiting = await column<string>(
    tx,
    `SELECT id FROM members WHERE workspace_id = $1 AND pending_tier_at > $2 ORDER BY id`,
    [workspaceId, new Date()],
  );
  for (const id of waiting) {
    const member = await lockMember(tx, workspaceId, id);
    if (!member?.pending_tier_at) continue;
    const pending_tier_at = startOfDay(dayIn(former, member.pending_tier_at), zone);
    await tx.update(Member, { id }, { pending_tier_at });
    await recordMemberChange(tx, by, member);
  }
}

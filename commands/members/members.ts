import { deliveryAddress } from '../../db/address.js';
import type { Day } from '../../domain/cycle.js';
import type { Metadata } from '../../domain/metadata.js';
import type { Role } from '../../domain/policies.js';
import type { Tier } from '../../domain/rates/price.js';
import { newId, newProfileId } from '../../db/ids.js';
import { execute, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { findMember, type MemberRow } from '../../db/queries/members/member.js';
import { findToday } from '../../db/queries/workspaces/workspace.js';
import type { Language } from '../../domain/words/languages.js';

/** Returns a member, locked until the transaction ends. Every change of a member takes this lock first. */
export async function lockMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | null> {
  await execute(tx, `SELECT FROM members WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
    id,
    workspaceId,
  ]);
  return findMember(tx, workspaceId, id);
}

export interface NewMember {
  id?: string;
  workspace_id: string;
  email: string;
  name: string;
  role: Role;
  tier: Tier;
  /** By default true for the role `member` (docs/rules/members.md#who-pays). */
  billed?: boolean;
  status?: 'invited' | 'active' | 'trialing';
  locale?: Language | null;
  company_id?: string | null;
  trial_ends_at?: Date | null;
  metadata?: Metadata;
  invite?: { id: string; expires_at: Date };
}

/**
 * `$12` and `$13`: the profile, `$14` and `$15`: the invite (null for none), `$16`: its mail, `$17`: the day,
 * `$18`: metadata.
 */
const INSERT_MEMBER = `WITH now AS (
    SELECT w.time_zone, w.plans, $17::date AS day, CASE WHEN $10 <> 'invited' THEN now() END AS joined_at
    FROM workspaces w WHERE w.id = $2
  ), profile AS (
    INSERT INTO profiles (id, email) VALUES ($12, $13)
    ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING id
  ), member AS (
    INSERT INTO members (
      id, workspace_id, name, email, locale, company_id, role, tier, billed, status, trial_ends_at,
      profile_id, joined_at, cycle_starts_on, billing_anchor, accepted_at, metadata)
    SELECT
      $1, $2, $3, $4, $5, $6::uuid, $7, $8, $9, $10, $11,
      profile.id, now.joined_at, CASE WHEN now.joined_at IS NOT NULL THEN now.day END,
      CASE WHEN $10 = 'active' AND $6::uuid IS NULL THEN now.day END, CASE WHEN $7 = 'owner' THEN now() END,
      $18
    FROM profile, now
    RETURNING *
  ), payer AS (
    UPDATE companies c SET billing_anchor = now.day FROM now
    WHERE c.id = $6::uuid AND c.billing_anchor IS NULL AND $10 = 'active'
  ), invite AS (
    INSERT INTO member_invites (id, expires_at, member_id, workspace_id)
    SELECT $14, $15::timestamptz, $1, $2 WHERE $14::text IS NOT NULL
  ), mail AS (
    INSERT INTO mails (id, workspace_id, kind, about) SELECT $16, $2, 'member_invite', $14
      WHERE $16::text IS NOT NULL
  )
  SELECT member.*, NULL::json AS card, c.name AS company_name, now.time_zone, now.plans,
         coalesce(c.billing_anchor, now.day) AS cycle_anchor
  FROM member CROSS JOIN now LEFT JOIN companies c ON c.id = $6::uuid`;

/**
 * Adds a person to a workspace, active by default. The profile with this email address is created, or shared
 * with other workspaces. Besides reading the day, it is a single statement, since a bulk call adds a thousand
 * members. Errors: 409 `member_exists`.
 */
export async function insertMember(tx: Tx, member: NewMember): Promise<MemberRow> {
  const { id = newId('mem'), status = 'active', workspace_id, invite } = member;
  return one<MemberRow>(tx, INSERT_MEMBER, [
    id,
    workspace_id,
    member.name,
    member.email,
    member.locale ?? null,
    member.company_id ?? null,
    member.role,
    member.tier,
    member.billed ?? member.role === 'member',
    status,
    member.trial_ends_at ?? null,
    newProfileId(),
    deliveryAddress(member.email),
    invite?.id ?? null,
    invite?.expires_at ?? null,
    invite ? newId('mail') : null,
    await findToday(tx, workspace_id),
    member.metadata ?? {},
  ]);
}

/**
 * Sets the billing anchor of an active member's payer, unless it already has one. Billing periods are counted
 * from this day, by default today in the workspace's time zone.
 */
export async function setBillingAnchor(
  tx: Tx,
  { id, workspace_id }: { id: string; workspace_id: string },
  day?: Day,
): Promise<void> {
  await execute(
    tx,
    `WITH today AS (
       SELECT m.id, m.company_id, $2::date AS day FROM members m WHERE m.id = $1
     ), company AS (
       UPDATE companies c SET billing_anchor = today.day FROM today
       WHERE c.id = today.company_id AND c.billing_anchor IS NULL
     )
     UPDATE members m SET billing_anchor = today.day FROM today
     WHERE m.id = today.id AND today.company_id IS NULL AND m.billing_anchor IS NULL`,
    [id, day ?? (await findToday(tx, workspace_id))],
  );
}

import { deliveryAddress } from '../../db/address.js';
import type { Day } from '../../domain/cycle.js';
import type { Role } from '../../domain/policies.js';
import type { Tier } from '../../domain/rates/price.js';
import { newId, newProfileId } from '../../db/ids.js';
import { execute, one } from '../../db/query.js';
import { columnParameters } from '../../db/column-parameters.js';
import { Mail } from '../../db/entities/mail.js';
import { Member, MemberInvite, Profile } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { findMember, type MemberRow } from '../../db/queries/members/member.js';
import { findToday } from '../../db/queries/workspaces/workspace.js';
import type { Language } from '../../domain/words/languages.js';

/** A member, locked until the transaction ends. Every change of a member takes this lock first. */
export async function lockMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | null> {
  await execute(tx, `SELECT FROM members WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
    id,
    workspaceId,
  ]);
  return findMember(tx, workspaceId, id);
}

/** A membership to store. */
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
  /** The open invite, for an invited member. */
  invite?: { id: string; expires_at: Date };
}

const MEMBER = columnParameters(Member, [
  'id',
  'workspace_id',
  'name',
  'email',
  'locale',
  'company_id',
  'role',
  'tier',
  'billed',
  'status',
  'trial_ends_at',
]);
const PROFILE = columnParameters(Profile, ['id', 'email'], MEMBER.next);
const INVITE = columnParameters(
  MemberInvite,
  ['id', 'expires_at', 'member_id', 'workspace_id'],
  PROFILE.next,
);
const MAIL = columnParameters(Mail, ['id', 'workspace_id', 'kind', 'about'], INVITE.next);
const COMPANY_ID = `${MEMBER.of('company_id')}::uuid`;
const STATUS = `${MEMBER.of('status')}::text`;

const INSERT_MEMBER = `WITH now AS (
    SELECT w.time_zone, w.plans, $${MAIL.next}::date AS day,
           CASE WHEN ${STATUS} <> 'invited' THEN now() END AS joined_at
    FROM workspaces w WHERE w.id = ${MEMBER.of('workspace_id')}
  ), profile AS (
    INSERT INTO profiles (${PROFILE.columns}) VALUES (${PROFILE.parameters})
    ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING *
  ), member AS (
    INSERT INTO members (${MEMBER.columns}, profile_id, joined_at, cycle_starts_on, billing_anchor,
      accepted_at)
    SELECT ${MEMBER.parameters}, profile.id, now.joined_at,
           CASE WHEN now.joined_at IS NOT NULL THEN now.day END,
           CASE WHEN ${STATUS} = 'active' AND ${COMPANY_ID} IS NULL THEN now.day END,
           CASE WHEN ${MEMBER.of('role')}::text = 'owner' THEN now() END
    FROM profile, now
    RETURNING *
  ), payer AS (
    UPDATE companies c SET billing_anchor = now.day FROM now
    WHERE c.id = ${COMPANY_ID} AND c.billing_anchor IS NULL AND ${STATUS} = 'active'
  ), invite AS (
    INSERT INTO member_invites (${INVITE.columns}) SELECT ${INVITE.parameters}
    WHERE ${INVITE.of('id')}::text IS NOT NULL
  ), mail AS (
    INSERT INTO mails (${MAIL.columns}) SELECT ${MAIL.parameters} WHERE ${MAIL.of('id')}::text IS NOT NULL
  )
  SELECT member.*, NULL::json AS card, c.name AS company_name, now.time_zone, now.plans,
    coalesce(c.billing_anchor, now.day) AS cycle_anchor
  FROM member CROSS JOIN now LEFT JOIN companies c ON c.id = ${COMPANY_ID}`;

/**
 * Adds a person to a workspace, active by default. The profile of this mail address is created, or shared
 * with other workspaces. One statement beside that for the day, since a bulk call adds a thousand members.
 * Errors: 409 `member_exists`.
 */
export async function insertMember(tx: Tx, member: NewMember): Promise<MemberRow> {
  const { id = newId('mem'), status = 'active', workspace_id, invite } = member;
  return one<MemberRow>(tx, INSERT_MEMBER, [
    ...MEMBER.values({
      id,
      workspace_id,
      name: member.name,
      email: member.email,
      locale: member.locale ?? null,
      company_id: member.company_id ?? null,
      role: member.role,
      tier: member.tier,
      billed: member.billed ?? member.role === 'member',
      status,
      trial_ends_at: member.trial_ends_at ?? null,
    }),
    ...PROFILE.values({ id: newProfileId(), email: deliveryAddress(member.email) }),
    ...INVITE.values(invite ? { ...invite, member_id: id, workspace_id } : null),
    ...MAIL.values(
      invite ? { id: newId('mail'), workspace_id, kind: 'member_invite', about: invite.id } : null,
    ),
    await findToday(tx, workspace_id),
  ]);
}

/**
 * Sets the billing anchor of an active member's payer, unless it has one: the day from which its billing
 * periods are counted, by default today in the workspace's time zone.
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

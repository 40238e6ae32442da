import type { Day } from '../../../domain/cycle.js';
import type { Role } from '../../../domain/policies.js';
import type { MemberFacts, ProfileFacts } from '../../../domain/presenters/member.js';
import type { Tier } from '../../../domain/price.js';
import type { MemberStatus } from '../../../domain/states.js';
import { newId } from '../../ids.js';
import { containsWords, PROFILE_TEXT, type Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';

/** A membership with its person and company. */
export type MemberRow = MemberFacts &
  ProfileFacts & {
    workspace_id: string;
    /** `YYYY-MM-DD`: the day from which its next tokens are due. */
    cycle_starts_on: string | null;
    /** `YYYY-MM-DD`: where its payer's months begin, or its own while the payer has not paid for anyone. */
    cycle_anchor: string;
    time_zone: string;
  };

const WITH_PERSON = `SELECT m.*, m.cycle_starts_on::text, m.billing_anchor::text, p.name, p.email,
    p.created_at AS profile_created_at, c.name AS company_name, w.time_zone,
    coalesce(c.billing_anchor, CASE WHEN c.id IS NULL THEN m.billing_anchor END,
             (coalesce(m.joined_at, m.created_at) AT TIME ZONE w.time_zone)::date)::text AS cycle_anchor,
    (SELECT count(*)::integer FROM members o WHERE o.profile_id = p.id) AS workspaces
  FROM members m
  JOIN workspaces w ON w.id = m.workspace_id
  JOIN profiles p ON p.id = m.profile_id
  LEFT JOIN companies c ON c.id = m.company_id`;

/** A member of a workspace, archived or not; null for one that was erased. */
export async function findMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | null> {
  const rows = await tx.query(`${WITH_PERSON} WHERE m.id = $1 AND m.workspace_id = $2`, [id, workspaceId]);
  return rows[0] ?? null;
}

/** A member, locked until the transaction ends: whoever changes one holds this first. */
export async function lockMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | null> {
  await tx.query(`SELECT FROM members WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
    id,
    workspaceId,
  ]);
  return findMember(tx, workspaceId, id);
}

export interface MemberFilter {
  workspace_id: string;
  tier?: Tier;
  status?: MemberStatus;
  company_id?: string;
  /** Words of the name or mail address. */
  q?: string;
  include_archived?: boolean;
  /** The last row of the page before. */
  after?: { joined_at: string; id: string };
  limit: number;
}

/** A workspace's members, who joined last first; one who hasn't yet stands where it was invited. */
export async function listMembers(tx: Tx, filter: MemberFilter): Promise<MemberRow[]> {
  const values: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const conditions = ['m.workspace_id = $1'];
  for (const column of ['tier', 'status', 'company_id'] as const) {
    if (filter[column] !== undefined) conditions.push(`m.${column} = ${bind(filter[column])}`);
  }
  if (!filter.include_archived && filter.status !== 'archived') conditions.push(`m.status <> 'archived'`);
  if (filter.q !== undefined) conditions.push(isCalled(filter.q, bind));
  if (filter.after) {
    const { joined_at, id } = filter.after;
    conditions.push(
      `(coalesce(m.joined_at, m.created_at), m.id) < (${bind(joined_at)}::timestamptz, ${bind(id)})`,
    );
  }
  return tx.query(
    `${WITH_PERSON} WHERE ${conditions.join(' AND ')}
     ORDER BY coalesce(m.joined_at, m.created_at) DESC, m.id DESC LIMIT ${bind(filter.limit)}`,
    values,
  );
}

/** Found first, as an array: so the search has the trigram index, whatever the list is sorted by. */
function isCalled(q: string, bind: Bind): string {
  return `m.id = ANY (ARRAY(
    SELECT found.id FROM members found JOIN profiles p ON p.id = found.profile_id
    WHERE found.workspace_id = $1 AND ${containsWords(PROFILE_TEXT, q, bind)}))`;
}

/** A membership that is about to be. */
export interface NewMember {
  id?: string;
  workspace_id: string;
  email: string;
  name: string;
  role: Role;
  tier: Tier;
  status?: 'invited' | 'active' | 'trialing';
  company_id?: string | null;
  trial_ends_at?: Date | null;
  /** The open invite, of who is invited. */
  invite?: { id: string; expires_at: Date };
}

/**
 * Adds a person to a workspace, active unless told otherwise; the profile is shared by mail address, and keeps the
 * name it has. One statement, since a bulk makes a thousand. Errors: 409 `member_exists`.
 */
export async function insertMember(tx: Tx, member: NewMember): Promise<MemberRow> {
  const { id = newId('mem'), status = 'active', company_id = null, invite } = member;
  const [row] = await tx.query(
    `WITH now AS (
       SELECT w.time_zone, (now() AT TIME ZONE w.time_zone)::date AS day,
              CASE WHEN $9::text <> 'invited' THEN now() END AS joined_at
       FROM workspaces w WHERE w.id = $2
     ), profile AS (
       INSERT INTO profiles (id, email, name) VALUES ($3, $4, $5)
       ON CONFLICT (lower(email)) DO UPDATE SET email = profiles.email RETURNING *
     ), member AS (
       INSERT INTO members (id, workspace_id, profile_id, company_id, role, tier, status, joined_at, trial_ends_at,
                            cycle_starts_on, billing_anchor)
       SELECT $1, $2, profile.id, $6::uuid, $7, $8, $9, now.joined_at, $10::timestamptz,
              CASE WHEN now.joined_at IS NOT NULL THEN now.day END,
              CASE WHEN $9::text = 'active' AND $6::uuid IS NULL THEN now.day END
       FROM profile, now
       RETURNING *
     ), payer AS (
       UPDATE companies c SET billing_anchor = now.day FROM now
       WHERE c.id = $6::uuid AND c.billing_anchor IS NULL AND $9::text = 'active'
     ), invite AS (
       INSERT INTO member_invites (member_id, workspace_id, id, expires_at)
       SELECT $1, $2, $11, $12::timestamptz WHERE $11::text IS NOT NULL
     ), mail AS (
       INSERT INTO mails (id, workspace_id, kind, about)
       SELECT $13, $2, 'member_invite', $11 WHERE $11::text IS NOT NULL
     )
     SELECT member.*, member.cycle_starts_on::text, member.billing_anchor::text, profile.name, profile.email,
            profile.created_at AS profile_created_at, c.name AS company_name, now.time_zone,
            coalesce(c.billing_anchor, now.day)::text AS cycle_anchor,
            1 + (SELECT count(*)::integer FROM members o WHERE o.profile_id = profile.id) AS workspaces
     FROM member, now, profile LEFT JOIN companies c ON c.id = $6::uuid`,
    [
      id,
      member.workspace_id,
      newId('prof'),
      member.email,
      member.name,
      company_id,
      member.role,
      member.tier,
      status,
      member.trial_ends_at ?? null,
      invite?.id ?? null,
      invite?.expires_at ?? null,
      newId('mail'),
    ],
  );
  return row;
}

/** Remembers on an active member's payer the first day on which it had one, today unless told: its months are counted from it. */
export async function anchorPayer(tx: Tx, memberId: string, day?: Day): Promise<void> {
  await tx.query(
    `WITH today AS (
       SELECT m.id, m.company_id, coalesce($2::date, (now() AT TIME ZONE w.time_zone)::date) AS day
       FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.id = $1
     ), company AS (
       UPDATE companies c SET billing_anchor = today.day FROM today
       WHERE c.id = today.company_id AND c.billing_anchor IS NULL
     )
     UPDATE members m SET billing_anchor = today.day FROM today
     WHERE m.id = today.id AND today.company_id IS NULL AND m.billing_anchor IS NULL`,
    [memberId, day ?? null],
  );
}

/** Whether a workspace has a member, archived or not; an erased one it has not. */
export async function memberExists(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  const rows: unknown[] = await tx.query(
    `SELECT FROM members WHERE id = $1 AND workspace_id = $2 AND status <> 'deleted'`,
    [id, workspaceId],
  );
  return rows.length > 0;
}

import { addressKey } from '../../address.js';
import { dayIn, type Day } from '../../../domain/cycle.js';
import type { MemberFacts } from '../../../domain/members/presenter.js';
import type { Tier } from '../../../domain/rates/price.js';
import type { MemberStatus } from '../../../domain/states.js';
import { exists, many, maybeOne } from '../../query.js';
import { containsWords, MEMBER_TEXT, type Bind } from '../../search.js';
import type { Tx } from '../../transaction.js';
import { cardOf } from '../payments/card.js';

/** A membership with its company. */
export type MemberRow = MemberFacts & {
  workspace_id: string;
  /** `YYYY-MM-DD`: the day from which the next hour credits are due. */
  cycle_starts_on: string | null;
  hour_credit_grants: number;
  hour_credits_granted: number | null;
  /** When the person accepted the membership; null before. */
  accepted_at: Date | null;
  /** `YYYY-MM-DD`: the billing anchor of the payer; before the payer has one, the day the member joined. */
  cycle_anchor: string;
  time_zone: string;
};

const MEMBERS = `SELECT m.*, c.name AS company_name, w.time_zone, w.plans,
  ${cardOf('member_id', 'm.id')} AS card,
    coalesce(c.billing_anchor, CASE WHEN c.id IS NULL THEN m.billing_anchor END) AS cycle_anchor
  FROM members m
  JOIN workspaces w ON w.id = m.workspace_id
  LEFT JOIN companies c ON c.id = m.company_id`;

/** A row as it is selected: without an anchor if the payer has none yet. */
export type SelectedMember = Omit<MemberRow, 'cycle_anchor'> & { cycle_anchor: Day | null; created_at: Date };

/** The member of a selected row. */
export const memberOf = (row: SelectedMember): MemberRow => ({
  ...row,
  cycle_anchor: row.cycle_anchor ?? dayIn(row.time_zone, row.joined_at ?? row.created_at),
});

async function findOne(tx: Tx, condition: string, params: unknown[]): Promise<MemberRow | null> {
  const row = await maybeOne<SelectedMember>(tx, `${MEMBERS} WHERE ${condition}`, params);
  return row && memberOf(row);
}

/** A member of a workspace, archived or not; null for an erased one. */
export function findMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | null> {
  return findOne(tx, `m.id = $1 AND m.workspace_id = $2 AND m.status <> 'deleted'`, [id, workspaceId]);
}

/** A member of a workspace by their address, in any spelling. */
export function findMemberByEmail(tx: Tx, workspaceId: string, email: string): Promise<MemberRow | null> {
  return findOne(
    tx,
    `m.workspace_id = $1 AND m.status <> 'deleted'
       AND m.profile_id = (SELECT p.id FROM profiles p WHERE lower(p.email) = $2)`,
    [workspaceId, addressKey(email)],
  );
}

export interface MemberFilter {
  workspace_id: string;
  tier?: Tier;
  status?: MemberStatus;
  company_id?: string;
  /** Words of the name or mail address. */
  q?: string;
  include_archived?: boolean;
  /** Only those whose person has accepted the membership. */
  is_accepted?: boolean;
  /** The last row of the previous page. */
  after?: { joined_at: string; id: string };
  limit: number;
}

/** A workspace's members, latest to join first; those who have not joined yet are sorted by creation time. */
export async function listMembers(tx: Tx, filter: MemberFilter): Promise<MemberRow[]> {
  const params: unknown[] = [filter.workspace_id];
  const bind: Bind = (value) => `$${params.push(value)}`;
  const conditions = ['m.workspace_id = $1', `m.status <> 'deleted'`];
  for (const column of ['tier', 'status', 'company_id'] as const) {
    if (filter[column] !== undefined) conditions.push(`m.${column} = ${bind(filter[column])}`);
  }
  if (!filter.include_archived && filter.status !== 'archived') conditions.push(`m.status <> 'archived'`);
  if (filter.is_accepted) conditions.push('m.accepted_at IS NOT NULL');
  if (filter.q !== undefined) conditions.push(matches(filter.q, bind));
  if (filter.after) {
    const { joined_at, id } = filter.after;
    conditions.push(
      `(coalesce(m.joined_at, m.created_at), m.id) < (${bind(joined_at)}::timestamptz, ${bind(id)})`,
    );
  }
  const rows = await many<SelectedMember>(
    tx,
    `${MEMBERS} WHERE ${conditions.join(' AND ')}
     ORDER BY coalesce(m.joined_at, m.created_at) DESC, m.id DESC LIMIT ${bind(filter.limit)}`,
    params,
  );
  return rows.map(memberOf);
}

/**
 * Selects the members first, as an array, so that the search uses the trigram index
 * regardless of the sort order.
 */
function matches(q: string, bind: Bind): string {
  return `m.id = ANY (ARRAY(
    SELECT m.id FROM members m WHERE m.workspace_id = $1 AND ${containsWords(MEMBER_TEXT, q, bind)}))`;
}

const MAX_STAFF = 200;

/** The members with a role that may change more than their own bookings, by name. */
export function listStaff(tx: Tx, workspaceId: string): Promise<{ id: string; name: string }[]> {
  return many<{ id: string; name: string }>(
    tx,
    `SELECT id, name FROM members WHERE workspace_id = $1 AND role <> 'member' AND status <> 'deleted'
     ORDER BY name, id LIMIT ${MAX_STAFF}`,
    [workspaceId],
  );
}

/** True if a workspace has this member, archived or not, and not erased. */
export function memberExists(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  return exists(tx, `SELECT FROM members WHERE id = $1 AND workspace_id = $2 AND status <> 'deleted'`, [
    id,
    workspaceId,
  ]);
}

import { addressKey } from '../../address.js';
import { dayIn, type Day } from '../../../domain/cycle.js';
import type { MemberFacts } from '../../../domain/members/presenter.js';
import type { Tier } from '../../../domain/rates/price.js';
import type { MemberStatus } from '../../../domain/states.js';
import { exists, many, maybeOne } from '../../query.js';
import { searchWords } from '../../search.js';
import type { Metadata } from '../../../domain/metadata.js';
import type { Tx } from '../../transaction.js';

/** A membership with its company. */
export type MemberRow = MemberFacts & {
  workspace_id: string;
  /** `YYYY-MM-DD`: the day on which the next hour credits are due. */
  cycle_starts_on: string | null;
  hour_credit_grants: number;
  hour_credits_granted: number | null;
  /** When the person accepted the membership; null before that. */
  accepted_at: Date | null;
  /**
   * `YYYY-MM-DD`: the billing anchor of the payer; before the payer has one, the day on which the member
   * joined.
   */
  cycle_anchor: string;
  time_zone: string;
};

/** A row as it is selected: without an anchor if the payer has none yet. */
export type SelectedMember = Omit<MemberRow, 'cycle_anchor'> & { cycle_anchor: Day | null; created_at: Date };

/** Converts a selected row to a member. */
export const toMember = (row: SelectedMember): MemberRow => ({
  ...row,
  cycle_anchor: row.cycle_anchor ?? dayIn(row.time_zone, row.joined_at ?? row.created_at),
});

/** Returns a member of a workspace, archived or not; null for an erased one. */
export async function findMember(tx: Tx, workspaceId: string, id: string): Promise<MemberRow | null> {
  const row = await maybeOne<SelectedMember>(
    tx,
    `SELECT m.*, c.name AS company_name, w.time_zone, w.plans, card_on_file(NULL, m.id) AS card,
            coalesce(c.billing_anchor, CASE WHEN c.id IS NULL THEN m.billing_anchor END) AS cycle_anchor
     FROM members m JOIN workspaces w ON w.id = m.workspace_id LEFT JOIN companies c ON c.id = m.company_id
     WHERE m.id = $1 AND m.workspace_id = $2 AND m.status <> 'deleted'`,
    [id, workspaceId],
  );
  return row && toMember(row);
}

/** Returns a member of a workspace by their address, in any spelling. */
export async function findMemberByEmail(
  tx: Tx,
  workspaceId: string,
  email: string,
): Promise<MemberRow | null> {
  const found = await maybeOne<{ id: string }>(
    tx,
    `SELECT m.id FROM members m JOIN profiles p ON p.id = m.profile_id
     WHERE m.workspace_id = $1 AND m.status <> 'deleted' AND lower(p.email) = $2`,
    [workspaceId, addressKey(email)],
  );
  return found && findMember(tx, workspaceId, found.id);
}

export interface MemberFilter {
  workspace_id: string;
  tier?: Tier;
  status?: MemberStatus;
  company_id?: string;
  /** Words of the name or email address. */
  q?: string;
  include_archived?: boolean;
  /** Only members whose person has accepted the membership. */
  is_accepted?: boolean;
  metadata?: Metadata;
  /** The last row of the previous page. */
  after?: { joined_at: string; id: string };
  limit: number;
}

/**
 * Lists a workspace's members, latest to join first. Members who have not joined yet are sorted by creation
 * time.
 */
export async function listMembers(tx: Tx, filter: MemberFilter): Promise<MemberRow[]> {
  const rows = await many<SelectedMember>(
    tx,
    `SELECT m.*, c.name AS company_name, w.time_zone, w.plans, card_on_file(NULL, m.id) AS card,
            coalesce(c.billing_anchor, CASE WHEN c.id IS NULL THEN m.billing_anchor END) AS cycle_anchor
     FROM members m JOIN workspaces w ON w.id = m.workspace_id LEFT JOIN companies c ON c.id = m.company_id
     WHERE m.workspace_id = $1 AND m.status <> 'deleted'
       AND ($2::text IS NULL OR m.tier = $2) AND ($3::text IS NULL OR m.status = $3)
       AND ($4::uuid IS NULL OR m.company_id = $4)
       AND ($5 OR m.status <> 'archived') AND (NOT $6 OR m.accepted_at IS NOT NULL)
       -- The members are selected first, as an array, so that the search uses its index
       -- regardless of the order.
       AND ($7::text[] IS NULL OR m.id = ANY (ARRAY(
         SELECT f.id FROM members f WHERE f.workspace_id = $1 AND member_contains(f, $7))))
       AND ($8::timestamptz IS NULL OR (coalesce(m.joined_at, m.created_at), m.id) < ($8, $9))
       AND has_metadata(m.metadata, $11)
     ORDER BY coalesce(m.joined_at, m.created_at) DESC, m.id DESC LIMIT $10`,
    [
      filter.workspace_id,
      filter.tier ?? null,
      filter.status ?? null,
      filter.company_id ?? null,
      (filter.include_archived ?? false) || filter.status === 'archived',
      filter.is_accepted ?? false,
      filter.q === undefined ? null : searchWords(filter.q),
      filter.after?.joined_at ?? null,
      filter.after?.id ?? null,
      filter.limit,
      filter.metadata ?? null,
    ],
  );
  return rows.map(toMember);
}

/**
 * Lists the addresses and names of a workspace's members, by name, to choose one of them. `q`: only those
 * with these words.
 */
export const listPeople = (
  tx: Tx,
  workspaceId: string,
  { q, limit }: { q?: string | undefined; limit: number },
): Promise<{ email: string; name: string | null }[]> =>
  many(
    tx,
    `SELECT p.email, m.name FROM members m JOIN profiles p ON p.id = m.profile_id
     WHERE m.workspace_id = $1 AND m.status NOT IN ('archived', 'deleted')
       AND ($2::text[] IS NULL OR m.id = ANY (ARRAY(
         SELECT f.id FROM members f WHERE f.workspace_id = $1 AND member_contains(f, $2))))
     ORDER BY m.name, p.email LIMIT $3`,
    [workspaceId, q ? searchWords(q) : null, limit],
  );

const MAX_STAFF = 200;

/** Lists the members with a role that may change more than their own bookings, by name. */
export function listStaff(tx: Tx, workspaceId: string): Promise<{ id: string; name: string }[]> {
  return many<{ id: string; name: string }>(
    tx,
    `SELECT id, name FROM members WHERE workspace_id = $1 AND role <> 'member' AND status <> 'deleted'
     ORDER BY name, id LIMIT $2`,
    [workspaceId, MAX_STAFF],
  );
}

/** True if a workspace has this member, archived or not, but not erased. */
export function memberExists(tx: Tx, workspaceId: string, id: string): Promise<boolean> {
  return exists(tx, `SELECT FROM members WHERE id = $1 AND workspace_id = $2 AND status <> 'deleted'`, [
    id,
    workspaceId,
  ]);
}

import type { Day } from '../../../domain/cycle.js';
import { column, many, one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The billing job starts at this hour, local time (docs/rules/billing.md#subscription-invoices). */
export const FROM_HOUR = 6;

/** A workspace with billing periods to invoice, and its day: `YYYY-MM-DD` in its time zone. */
export interface SubscriptionDay {
  workspaceId: string;
  day: Day;
}

const PAYERS = `SELECT workspace_id, id::text AS payer, coalesce(next_period_on, billing_anchor) AS next
    FROM companies WHERE billing_anchor IS NOT NULL
  UNION ALL
  SELECT workspace_id, id, coalesce(next_period_on, billing_anchor)
    FROM members WHERE billing_anchor IS NOT NULL AND company_id IS NULL`;

/**
 * A page of the workspaces that have something to invoice, by id: on the given day, otherwise on their current one, where
 * a day starts at six in the morning. Those with drafts that an earlier run did not finish, too.
 */
export function listSubscriptionDays(
  tx: Tx,
  query: { workspaceId?: string; asOf?: Day; after: string; limit: number },
): Promise<SubscriptionDay[]> {
  return many<SubscriptionDay>(
    tx,
    `SELECT id AS "workspaceId", day FROM (
       SELECT w.id, coalesce($2::date, ((now() AT TIME ZONE w.time_zone) - make_interval(hours => $3))::date) AS day
       FROM workspaces w WHERE ($1::text IS NULL OR w.id = $1) AND w.id > $4
     ) w
     WHERE EXISTS (SELECT FROM (${PAYERS}) p WHERE p.workspace_id = w.id AND p.next <= w.day)
        OR EXISTS (SELECT FROM invoices i WHERE i.workspace_id = w.id AND i.status = 'draft')
     ORDER BY id LIMIT $5`,
    [query.workspaceId ?? null, query.asOf ?? null, FROM_HOUR, query.after, query.limit],
  );
}

/** A page of the payers with a billing period to invoice on a day, by id, after the given one. */
export function listDuePayers(
  tx: Tx,
  { workspaceId, day }: SubscriptionDay,
  after: string,
  limit: number,
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT payer FROM (${PAYERS}) p WHERE workspace_id = $1 AND next <= $2::date AND payer COLLATE "C" > $3
     ORDER BY payer COLLATE "C" LIMIT $4`,
    [workspaceId, day, after, limit],
  );
}

/** A payer of memberships, and the price of its next month at today's members and tiers. */
export interface UpcomingPayer {
  id: string;
  kind: 'company' | 'member';
  name: string;
  /** `YYYY-MM-DD`: the first day of the next month to invoice. */
  next_on: Day;
  members: number;
  /** Without tax, in minor units of the workspace's currency. */
  monthly_minor: number;
}

/** A workspace's payers with members, next to be invoiced first. */
export function listUpcomingPayers(tx: Tx, workspaceId: string, limit: number): Promise<UpcomingPayer[]> {
  return many<UpcomingPayer>(
    tx,
    `SELECT p.payer AS id, CASE WHEN c.id IS NULL THEN 'member' ELSE 'company' END AS kind,
            coalesce(c.name, m.name, 'A former customer') AS name, p.next::text AS next_on,
            sums.members, sums.monthly_minor
     FROM (${PAYERS}) p
     JOIN workspaces w ON w.id = p.workspace_id
     LEFT JOIN companies c ON c.id::text = p.payer
     LEFT JOIN members m ON m.id = p.payer
     CROSS JOIN LATERAL (
       SELECT count(*)::int AS members, coalesce(sum((w.tier_prices ->> coalesce(each.pending_tier, each.tier))::bigint), 0)::bigint AS monthly_minor
       FROM members each WHERE each.workspace_id = p.workspace_id AND each.status = 'active'
         AND (each.company_id = c.id OR (c.id IS NULL AND each.id = p.payer))
     ) sums
     WHERE p.workspace_id = $1 AND sums.members > 0
     ORDER BY p.next, name LIMIT $2`,
    [workspaceId, limit],
  );
}

/** The number of payers of a workspace, or of all workspaces. */
export async function countPayers(tx: Tx, workspaceId: string | undefined): Promise<number> {
  const { count } = await one<{ count: number }>(
    tx,
    `SELECT count(*)::int FROM (${PAYERS}) p WHERE $1::text IS NULL OR workspace_id = $1`,
    [workspaceId ?? null],
  );
  return count;
}

/** A page of a workspace's drafts, by id, after the given one. */
export function listDrafts(tx: Tx, workspaceId: string, after: string, limit: number): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM invoices WHERE workspace_id = $1 AND status = 'draft' AND id > $2 ORDER BY id LIMIT $3`,
    [workspaceId, after, limit],
  );
}

/** The invoices that a job has opened, by id. */
export function listOpenedBy(tx: Tx, job: string): Promise<string[]> {
  return column<string>(tx, `SELECT id FROM invoices WHERE opened_by = $1 ORDER BY id`, [job]);
}

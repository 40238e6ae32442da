import type { Day } from '../../../domain/cycle.js';
import { TIERS, type Tier } from '../../../domain/rates/price.js';
import { column, many, maybeOne, one } from '../../query.js';
import type { Tx } from '../../transaction.js';
import {
  findPaidNames,
  findPeriodTotals,
  type PeriodPayer,
  type PeriodTotals,
  type SubscriptionTerms,
} from './lines.js';

/** A workspace with billing periods to invoice, and its day: `YYYY-MM-DD` in its time zone. */
export interface SubscriptionDay {
  workspaceId: string;
  day: Day;
  /** Why its day cannot be determined, such as for an unknown time zone. */
  failure?: string;
}

/** A workspace that has something to invoice on some clock. */
export interface PlannedWorkspace {
  id: string;
  time_zone: string;
  /** The first billing period that was not invoiced; null if there is none. */
  next: Day | null;
  has_drafts: boolean;
}

/**
 * Returns a page of the workspaces with a billing period that begins on a day or earlier, or with drafts that
 * an earlier run did not finish, by id. Whether it is due by the workspace's clock is decided separately for
 * each one, so that one with an unknown time zone does not stop the others
 * (docs/rules/workspace.md#time-zones).
 */
export function listPlannedWorkspaces(
  tx: Tx,
  query: { workspaceId?: string; until: Day; after: string; limit: number },
): Promise<PlannedWorkspace[]> {
  return many<PlannedWorkspace>(
    tx,
    `SELECT w.id, w.time_zone, (SELECT min(p.next) FROM subscription_payers() p
      WHERE p.workspace_id = w.id) AS next,
            EXISTS (SELECT FROM invoices i WHERE i.workspace_id = w.id AND i.status = 'draft') AS has_drafts
     FROM workspaces w
     WHERE ($1::text IS NULL OR w.id = $1) AND w.id > $3
       AND (EXISTS (SELECT FROM subscription_payers() p WHERE p.workspace_id = w.id AND p.next <= $2::date)
         OR EXISTS (SELECT FROM invoices i WHERE i.workspace_id = w.id AND i.status = 'draft'))
     ORDER BY w.id LIMIT $4`,
    [query.workspaceId ?? null, query.until, query.after, query.limit],
  );
}

/** Returns a page of the payers with a billing period to invoice on a day, by id, after the given one. */
export function listDuePayers(
  tx: Tx,
  { workspaceId, day }: SubscriptionDay,
  after: string,
  limit: number,
): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT payer FROM subscription_payers() p WHERE workspace_id = $1 AND next <= $2::date
      AND payer COLLATE "C" > $3
     ORDER BY payer COLLATE "C" LIMIT $4`,
    [workspaceId, day, after, limit],
  );
}

/** The next month of a payer who pays for members or has pending charges. */
export interface UpcomingPayer extends PeriodPayer, PeriodTotals {
  id: string;
  kind: 'company' | 'member';
  name: string;
  /** True if they have an address for mail about invoices. */
  has_email: boolean;
  /** The names of the first members that they pay for. */
  names: string[];
}

/** The maximum number of members listed for a payer. */
const NAMED = 5;

/**
 * Lists a workspace's payers, next to be invoiced first, each with what the job will invoice according to the
 * current members, plans and prices (docs/rules/billing.md#subscription-invoices).
 */
export async function listUpcomingPayers(
  tx: Tx,
  terms: SubscriptionTerms,
  limit: number,
): Promise<UpcomingPayer[]> {
  const payers = await many<Omit<UpcomingPayer, keyof PeriodTotals | 'names'>>(
    tx,
    `SELECT id, kind, name, has_email, company_id, member_id, anchor::text, next::text FROM (
       SELECT c.id::text, 'company' AS kind, c.name, c.billing_email IS NOT NULL AS has_email,
         c.id AS company_id, NULL AS member_id, c.billing_anchor AS anchor,
              coalesce(c.next_period_on, c.billing_anchor) AS next
       FROM companies c WHERE c.workspace_id = $1 AND c.billing_anchor IS NOT NULL AND (
         c.id IN (SELECT m.company_id FROM members m WHERE m.workspace_id = $1 AND m.company_id IS NOT NULL
           AND m.billed AND m.status IN ('active', 'trialing'))
         OR c.id IN (SELECT s.company_id FROM subscription_charges s
           WHERE s.workspace_id = $1 AND s.invoice_id IS NULL AND s.company_id IS NOT NULL))
       UNION ALL
       SELECT m.id, 'member', coalesce(m.name, 'A former customer'), m.email IS NOT NULL, NULL, m.id,
         m.billing_anchor,
              coalesce(m.next_period_on, m.billing_anchor)
       FROM members m WHERE m.workspace_id = $1 AND m.billing_anchor IS NOT NULL AND m.company_id IS NULL
         AND (
         (m.billed AND m.status IN ('active', 'trialing')) OR m.id IN (SELECT s.member_id
           FROM subscription_charges s
           WHERE s.workspace_id = $1 AND s.invoice_id IS NULL AND s.member_id IS NOT NULL))
     ) payers
     ORDER BY payers.next, name, id LIMIT $2`,
    [terms.workspace_id, limit],
  );
  const totals = await findPeriodTotals(tx, terms, payers);
  const names = await findPaidNames(tx, terms, payers, NAMED);
  return payers.map((payer) => ({
    ...payer,
    ...totals.get(payer.id)!,
    names: names.get(payer.id) ?? [],
  }));
}

/** A member who is on no subscription invoice, and the facts that decide that. */
export interface UninvoicedMember {
  id: string;
  name: string;
  billed: boolean;
  status: 'active' | 'trialing' | 'paused';
  trial_ends_at: Date | null;
  tier: Tier;
}

/**
 * Lists members who have a plan and are not invoiced for it now, by name: they do not pay for it, it costs
 * nothing, or they are paused or on trial.
 */
export function listUninvoicedMembers(
  tx: Tx,
  { workspace_id, tier_prices }: SubscriptionTerms,
  limit: number,
): Promise<UninvoicedMember[]> {
  return many<UninvoicedMember>(
    tx,
    `SELECT id, name, billed, status, trial_ends_at, tier FROM members
     WHERE workspace_id = $1 AND status IN ('active', 'trialing', 'paused')
       AND (NOT billed OR status <> 'active' OR tier = ANY ($2))
     ORDER BY name, id LIMIT $3`,
    [workspace_id, TIERS.filter((tier) => tier_prices[tier] === 0), limit],
  );
}

/**
 * Returns the next subscription invoice of a member who pays for themselves, by the current plans and prices;
 * null if there will not be one.
 */
export async function findNextInvoice(
  tx: Tx,
  terms: SubscriptionTerms,
  memberId: string,
): Promise<{ on: Day; total_minor: number } | null> {
  const payer = await maybeOne<PeriodPayer>(
    tx,
    `SELECT NULL AS company_id, id AS member_id, billing_anchor::text AS anchor,
            coalesce(next_period_on, billing_anchor)::text AS next
     FROM members WHERE workspace_id = $1 AND id = $2 AND billing_anchor IS NOT NULL AND company_id IS NULL`,
    [terms.workspace_id, memberId],
  );
  if (!payer) return null;
  const { total_minor } = (await findPeriodTotals(tx, terms, [payer])).get(memberId)!;
  return total_minor > 0 ? { on: payer.next, total_minor } : null;
}

/**
 * The members of a tier for whom somebody pays, and the days on which the next months of their payers begin.
 */
export interface PaidForMembers {
  tier: Tier;
  members: number;
  /** Null for members whose months do not count yet, such as on trial. */
  first: Day | null;
  last: Day | null;
}

/**
 * Returns for each tier the members for whom its price is invoiced, and from which month a new price applies.
 */
export function countPaidFor(tx: Tx, workspaceId: string): Promise<PaidForMembers[]> {
  return many<PaidForMembers>(
    tx,
    `SELECT m.tier, count(*)::int AS members, min(next.day)::text AS first, max(next.day)::text AS last
     FROM members m LEFT JOIN companies c ON c.id = m.company_id
     CROSS JOIN LATERAL (SELECT CASE WHEN m.company_id IS NULL
       THEN coalesce(m.next_period_on, m.billing_anchor)
                                ELSE coalesce(c.next_period_on, c.billing_anchor) END AS day) next
     WHERE m.workspace_id = $1 AND m.billed AND m.status IN ('active', 'trialing') GROUP BY m.tier`,
    [workspaceId],
  );
}

/** Returns the number of payers of a workspace, or of all workspaces. */
export async function countPayers(tx: Tx, workspaceId: string | undefined): Promise<number> {
  const { count } = await one<{ count: number }>(
    tx,
    `SELECT count(*)::int FROM subscription_payers() p WHERE $1::text IS NULL OR workspace_id = $1`,
    [workspaceId ?? null],
  );
  return count;
}

/** Returns a page of a workspace's drafts, by id, after the given one. */
export function listDrafts(tx: Tx, workspaceId: string, after: string, limit: number): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT id FROM invoices WHERE workspace_id = $1 AND status = 'draft' AND id > $2 ORDER BY id LIMIT $3`,
    [workspaceId, after, limit],
  );
}

/** Returns how many invoices of a workspace a job has created since a time. */
export async function countCreatedBy(
  tx: Tx,
  { workspace_id, job, since }: { workspace_id: string; job: string; since: Date },
): Promise<number> {
  const { count } = await one<{ count: number }>(
    tx,
    `SELECT count(*)::int FROM invoices WHERE workspace_id = $1 AND opened_by = $2 AND created_at >= $3`,
    [workspace_id, job, since],
  );
  return count;
}

/** Lists the invoices that a job has opened, by id. */
export function listOpenedBy(tx: Tx, job: string): Promise<string[]> {
  return column<string>(tx, `SELECT id FROM invoices WHERE opened_by = $1 ORDER BY id`, [job]);
}

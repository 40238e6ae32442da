import { periodOf, type Day } from '../../../domain/cycle.js';
import { priceLines, totalsOf, type LineRequest } from '../../../domain/invoice.js';
import type { TaxCode } from '../../../domain/price.js';
import { membershipTaxCode, type TierPrices } from '../../../domain/tiers.js';
import type { Tier } from '../../../domain/price.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { cancelInvoice, openInvoice } from './invoice-lifecycle.js';
import { insertInvoice, lockInvoice } from './invoices.js';

/** From this hour of a workspace's day the day's subscription invoices are made (decisions.md). */
const FROM_HOUR = 6;
/** A payer has this long to pay. */
const DUE_AFTER_MS = 14 * 86_400_000;

/** A workspace whose payers have a month that is not invoiced, and its day: `YYYY-MM-DD` in its own zone. */
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
 * The workspaces that have something to invoice: on the given day, or on that which it is there, where a day begins at
 * six in the morning. Those with drafts that a run left behind, too.
 */
export async function listSubscriptionDays(
  tx: Tx,
  { workspaceId, asOf }: { workspaceId?: string; asOf?: Day },
): Promise<SubscriptionDay[]> {
  const rows: { id: string; day: Day }[] = await tx.query(
    `SELECT id, day::text FROM (
       SELECT w.id, coalesce($2::date, ((now() AT TIME ZONE w.time_zone) - make_interval(hours => $3))::date) AS day
       FROM workspaces w WHERE $1::text IS NULL OR w.id = $1
     ) w
     WHERE EXISTS (SELECT FROM (${PAYERS}) p WHERE p.workspace_id = w.id AND p.next <= w.day)
        OR EXISTS (SELECT FROM invoices i WHERE i.workspace_id = w.id AND i.status = 'draft')
     ORDER BY id`,
    [workspaceId ?? null, asOf ?? null, FROM_HOUR],
  );
  return rows.map(({ id, day }) => ({ workspaceId: id, day }));
}

/** A page of the payers that have a month to be invoiced on a day, and how many there are in all that have none. */
export async function listPayersDue(
  tx: Tx,
  { workspaceId, day }: SubscriptionDay,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows: { payer: string }[] = await tx.query(
    `SELECT payer FROM (${PAYERS}) p WHERE workspace_id = $1 AND next <= $2::date AND payer > $3
     ORDER BY payer COLLATE "C" LIMIT $4`,
    [workspaceId, day, after, limit],
  );
  return rows.map((row) => row.payer);
}

/** How many payers a workspace has. */
export async function countPayers(tx: Tx, workspaceId: string | undefined): Promise<number> {
  const [{ count }] = await tx.query(
    `SELECT count(*)::int FROM (${PAYERS}) p WHERE $1::text IS NULL OR workspace_id = $1`,
    [workspaceId ?? null],
  );
  return count;
}

interface Payer {
  company_id: string | null;
  member_id: string | null;
  anchor: Day;
  next: Day;
  currency: string;
  time_zone: string;
  tax_codes: TaxCode[];
  tier_prices: TierPrices;
}

async function lockPayer(tx: Tx, workspaceId: string, payer: string): Promise<Payer | null> {
  const isMember = payer.startsWith('mem_');
  const [table, own] = isMember ? ['members', 'member_id'] : ['companies', 'company_id'];
  const rows = await tx.query(
    `SELECT p.id AS ${own}, p.billing_anchor::text AS anchor, coalesce(p.next_period_on, p.billing_anchor)::text AS next,
            w.currency, w.time_zone, w.tax_codes, w.tier_prices
     FROM ${table} p JOIN workspaces w ON w.id = p.workspace_id
     WHERE p.id = $1 AND p.workspace_id = $2 FOR NO KEY UPDATE OF p`,
    [payer, workspaceId],
  );
  return rows[0] ? { company_id: null, member_id: null, ...rows[0] } : null;
}

/**
 * Begins the oldest month of a payer that is due by `day` and not dealt with: a draft with a line for each member and
 * what waited for it; nothing where there is nothing to pay. The payer's row is locked and moved on to the next month
 * in the same transaction, so whoever else runs, now or after a crash, begins each month once.
 */
export async function beginPeriod(
  tx: Tx,
  workspaceId: string,
  payerId: string,
  day: Day,
): Promise<'nothing_due' | 'nothing_to_pay' | { invoiceId: string }> {
  const payer = await lockPayer(tx, workspaceId, payerId);
  if (!payer || payer.next > day) return 'nothing_due';
  const period = periodOf(payer.anchor, payer.next);
  const charges = await findCharges(tx, workspaceId, payer);
  const lines = priceLines(
    [...(await membershipLines(tx, workspaceId, payer, period)), ...charges.lines],
    payer.tax_codes,
  );
  await tx.query(
    `UPDATE ${payer.company_id ? 'companies' : 'members'} SET next_period_on = $2 WHERE id = $1`,
    [payerId, period.end],
  );
  if (totalsOf(lines).total_minor === 0) return 'nothing_to_pay';
  const now = new Date();
  const id = newId('inv');
  await insertInvoice(
    tx,
    {
      id,
      workspace_id: workspaceId,
      kind: 'subscription',
      currency: payer.currency,
      due_at: new Date(now.getTime() + DUE_AFTER_MS),
      company_id: payer.company_id,
      member_id: payer.member_id,
      period,
      created_at: now,
      lines,
    },
    'draft',
  );
  await tx.query(`UPDATE subscription_charges SET invoice_id = $2 WHERE id = ANY ($1)`, [charges.ids, id]);
  return { invoiceId: id };
}

/**
 * A line for each member that a month is for: active on its first day, or, where the job is late, until a later one.
 * Who joined or ended a trial after the first day is not in it; the first day of a payer's first month is the anchor
 * itself. The price is the tier's at the month's start: an upgrade since then is charged by itself.
 */
async function membershipLines(
  tx: Tx,
  workspaceId: string,
  { company_id, member_id, next, time_zone, tax_codes, tier_prices }: Payer,
  period: { start: Day; end: Day },
): Promise<LineRequest[]> {
  const members: { id: string; tier: Tier }[] = await tx.query(
    `SELECT id, coalesce(
              (SELECT t.from_tier FROM tier_changes t
               WHERE t.member_id = members.id AND t.created_at >= $4::date::timestamp AT TIME ZONE $5
               ORDER BY t.created_at, t.id LIMIT 1),
              CASE WHEN pending_tier_at <= $4::date::timestamp AT TIME ZONE $5 THEN pending_tier ELSE tier END
            ) AS tier
     FROM members
     WHERE workspace_id = $1 AND (company_id = $2 OR (company_id IS NULL AND id = $3))
       AND (status = 'active' OR (status = 'archived' AND (archived_at AT TIME ZONE $5)::date > $4::date))
       AND (joined_at AT TIME ZONE $5)::date <= $4::date
       AND (trial_ends_at IS NULL OR (trial_ends_at AT TIME ZONE $5)::date <= $4::date)
     ORDER BY joined_at, id`,
    [workspaceId, company_id, member_id, next, time_zone],
  );
  const tax_code = membershipTaxCode(tax_codes);
  return members
    .filter(({ tier }) => tier_prices[tier] > 0)
    .map(({ id, tier }) => ({
      description: `Membership ${tier}, ${period.start} to ${period.end} (${id})`,
      quantity: 1,
      unit_amount_minor: tier_prices[tier],
      tax_code,
    }));
}

async function findCharges(
  tx: Tx,
  workspaceId: string,
  { company_id, member_id, tax_codes }: Payer,
): Promise<{ ids: string[]; lines: LineRequest[] }> {
  const rows: { id: string; description: string; net_minor: number }[] = await tx.query(
    `SELECT id, description, net_minor FROM subscription_charges
     WHERE workspace_id = $1 AND invoice_id IS NULL
       AND company_id IS NOT DISTINCT FROM $2 AND member_id IS NOT DISTINCT FROM $3
     ORDER BY created_at, id`,
    [workspaceId, company_id, member_id],
  );
  const tax_code = membershipTaxCode(tax_codes);
  return {
    ids: rows.map(({ id }) => id),
    lines: rows.map(({ description, net_minor }) => ({
      description,
      quantity: 1,
      unit_amount_minor: net_minor,
      tax_code,
    })),
  };
}

/**
 * Puts a line on the next subscription invoice of a member's payer: the company, or the member without one. Minor
 * units of the workspace's currency, without tax.
 */
export async function chargeWithNextInvoice(
  tx: Tx,
  charge: { id: string; member_id: string; description: string; net_minor: number },
): Promise<void> {
  await tx.query(
    `INSERT INTO subscription_charges (id, workspace_id, company_id, member_id, description, net_minor)
     SELECT $1, workspace_id, company_id, CASE WHEN company_id IS NULL THEN id END, $3, $4 FROM members WHERE id = $2
     ON CONFLICT (id) DO NOTHING`,
    [charge.id, charge.member_id, charge.description, charge.net_minor],
  );
}

/**
 * Follows a member to another payer: what waits for their own next invoice goes along to the company, and who pays for
 * themselves again begins with their next month, since the company has paid for those before.
 */
export async function changePayer(
  tx: Tx,
  memberId: string,
  companyId: string | null,
  today: Day,
): Promise<void> {
  if (companyId) {
    await tx.query(
      `UPDATE subscription_charges SET company_id = $2, member_id = NULL WHERE member_id = $1 AND invoice_id IS NULL`,
      [memberId, companyId],
    );
    return;
  }
  const [{ anchor }]: [{ anchor: Day | null }] = await tx.query(
    `SELECT billing_anchor::text AS anchor FROM members WHERE id = $1`,
    [memberId],
  );
  if (!anchor) return;
  const { start, end } = periodOf(anchor, today);
  await tx.query(`UPDATE members SET next_period_on = greatest(next_period_on, $2::date) WHERE id = $1`, [
    memberId,
    start === today ? start : end,
  ]);
}

/** A page of a workspace's drafts. */
export async function listDrafts(tx: Tx, workspaceId: string, limit: number): Promise<string[]> {
  const rows: { id: string }[] = await tx.query(
    `SELECT id FROM invoices WHERE workspace_id = $1 AND status = 'draft' ORDER BY id LIMIT $2`,
    [workspaceId, limit],
  );
  return rows.map((row) => row.id);
}

/**
 * Finishes a draft: it is open, or cancelled where its payer has left since it was begun and owes nothing else; who had
 * left before, in the month that a late job makes up for, owes it. Returns whether it is open.
 */
export async function finishDraft(tx: Tx, invoiceId: string): Promise<boolean> {
  const { status, workspace_id, company_id, member_id, created_at, period_start } = await lockInvoice(
    tx,
    invoiceId,
  );
  if (status !== 'draft') return false;
  const [{ owes }] = await tx.query(
    `SELECT EXISTS (
         SELECT FROM members m JOIN workspaces w ON w.id = m.workspace_id
         WHERE m.workspace_id = $1 AND (m.company_id = $2 OR m.id = $3) AND (m.status = 'active'
           OR m.status = 'archived' AND m.archived_at < $5 AND (m.archived_at AT TIME ZONE w.time_zone)::date > $6::date))
       OR EXISTS (SELECT FROM subscription_charges WHERE invoice_id = $4) AS owes`,
    [workspace_id, company_id, member_id, invoiceId, created_at, period_start],
  );
  await (owes ? openInvoice : cancelInvoice)(tx, invoiceId, new Date());
  return owes;
}

import { periodOf, type Day } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import { priceLines, totalsOf, type LineRequest } from '../../domain/invoice.js';
import type { TaxCode, Tier } from '../../domain/price.js';
import { membershipTaxCode, type TierPrices } from '../../domain/tiers.js';
import { newId } from '../../db/ids.js';
import { execute, many, maybeOne, one } from '../../db/query.js';
import { Invoice } from '../../db/entities/invoices.js';
import { Company, Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { cancelInvoice, openInvoice } from './invoice-lifecycle.js';
import { insertInvoice, lockInvoice } from './invoices.js';

/** How long a payer has to pay. */
const DUE_AFTER_MS = 14 * DAY_MS;

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

async function lockPayer(tx: Tx, workspaceId: string, payerId: string): Promise<Payer | null> {
  const isMember = payerId.startsWith('mem_');
  const payer = await maybeOne<Omit<Payer, 'company_id' | 'member_id'>>(
    tx,
    `SELECT p.billing_anchor AS anchor, coalesce(p.next_period_on, p.billing_anchor) AS next,
            w.currency, w.time_zone, w.tax_codes, w.tier_prices
     FROM ${isMember ? 'members' : 'companies'} p JOIN workspaces w ON w.id = p.workspace_id
     WHERE p.id = $1 AND p.workspace_id = $2 FOR NO KEY UPDATE OF p`,
    [payerId, workspaceId],
  );
  const own = isMember ? { company_id: null, member_id: payerId } : { company_id: payerId, member_id: null };
  return payer && { ...payer, ...own };
}

/**
 * Drafts the invoice of a payer's oldest billing period that is due by `day` and not processed: a line for each member,
 * and the pending charges; no invoice if there is nothing to pay. The payer's row is locked and moved to the next
 * period in the same transaction, so that every period is processed exactly once, even after a crash.
 */
export async function draftPeriod(
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
    payer.currency,
  );
  await tx.update(payer.company_id ? Company : Member, { id: payerId }, { next_period_on: period.end });
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
  await execute(tx, `UPDATE subscription_charges SET invoice_id = $2 WHERE id = ANY ($1)`, [charges.ids, id]);
  return { invoiceId: id };
}

/** Drafts all of a payer's billing periods that are due by `day` and not processed; the job opens them. */
export async function draftDuePeriods(tx: Tx, workspaceId: string, payerId: string, day: Day): Promise<void> {
  while ((await draftPeriod(tx, workspaceId, payerId, day)) !== 'nothing_due');
}

/**
 * A line for each member who was active on the first day of a billing period, even if a late job finds them archived
 * since. Members who joined or ended a trial after the first day are not included; a payer's first period starts on the
 * anchor. The price is that of the tier at the start of the period: a later upgrade is charged separately.
 */
async function membershipLines(
  tx: Tx,
  workspaceId: string,
  { company_id, member_id, next, time_zone, tax_codes, tier_prices }: Payer,
  period: { start: Day; end: Day },
): Promise<LineRequest[]> {
  const members = await many<{ id: string; tier: Tier }>(
    tx,
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

/** The charges that wait for a payer's next subscription invoice. */
async function findCharges(
  tx: Tx,
  workspaceId: string,
  { company_id, member_id, tax_codes }: Payer,
): Promise<{ ids: string[]; lines: LineRequest[] }> {
  const rows = await many<{ id: string; description: string; net_minor: number }>(
    tx,
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
 * Finishes a draft: opens it, or cancels it if its payer has left since it was drafted and has no other charges. A payer
 * who had left before still pays, for a period that a late job catches up on; so does a company for a member who pays for
 * themselves since. Returns whether it is open; its row then
 * names the job.
 */
export async function finishDraft(tx: Tx, invoiceId: string, job: string): Promise<boolean> {
  const invoice = await lockInvoice(tx, invoiceId);
  const { status, workspace_id, company_id, member_id, created_at, period_start } = invoice;
  if (status !== 'draft') return false;
  const { pays } = await one<{ pays: boolean }>(
    tx,
    `SELECT EXISTS (
         SELECT FROM members m JOIN workspaces w ON w.id = m.workspace_id
         WHERE m.workspace_id = $1 AND (m.company_id = $2 OR m.id = $3) AND (m.status = 'active'
           OR m.status = 'archived' AND m.archived_at < $5 AND (m.archived_at AT TIME ZONE w.time_zone)::date > $6::date))
       OR EXISTS (SELECT FROM subscription_charges WHERE invoice_id = $4)
       OR EXISTS (
         SELECT FROM invoice_lines l JOIN members m ON m.id = substring(l.description FROM '\\((mem_\\w+)\\)$')
         WHERE l.invoice_id = $4 AND m.status = 'active') AS pays`,
    [workspace_id, company_id, member_id, invoiceId, created_at, period_start],
  );
  if (pays) await tx.update(Invoice, { id: invoiceId }, { opened_by: job });
  if (pays) await openInvoice(tx, invoice, new Date());
  else await cancelInvoice(tx, invoiceId, new Date());
  return pays;
}

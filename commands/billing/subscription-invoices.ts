import { periodOf, type Day } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import { totalsOf } from '../../domain/invoice.js';
import { memberOfLine } from '../../domain/plans.js';
import { newId } from '../../db/ids.js';
import {
  findPeriodCost,
  type PeriodPayer,
  type SubscriptionTerms,
} from '../../db/queries/billing/subscription-lines.js';
import { execute, maybeOne, one } from '../../db/query.js';
import { Invoice } from '../../db/entities/invoices.js';
import { Company, Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { cancelInvoice, openInvoice } from './invoice-lifecycle.js';
import { insertInvoice, lockInvoice } from './invoices.js';

/** How long a payer has to pay. */
const DUE_AFTER_MS = 14 * DAY_MS;

type Payer = PeriodPayer & SubscriptionTerms;

async function lockPayer(tx: Tx, workspaceId: string, payerId: string): Promise<Payer | null> {
  const isMember = payerId.startsWith('mem_');
  const payer = await maybeOne<Omit<Payer, 'company_id' | 'member_id'>>(
    tx,
    `SELECT p.billing_anchor AS anchor, coalesce(p.next_period_on, p.billing_anchor) AS next,
            p.workspace_id, w.currency, w.time_zone, w.tax_codes, w.tier_prices, w.plans
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
  const { lines, charge_ids } = await findPeriodCost(tx, payer, payer);
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
  await execute(tx, `UPDATE subscription_charges SET invoice_id = $2 WHERE id = ANY ($1)`, [charge_ids, id]);
  return { invoiceId: id };
}

/** Drafts all of a payer's billing periods that are due by `day` and not processed; the job opens them. */
export async function draftDuePeriods(tx: Tx, workspaceId: string, payerId: string, day: Day): Promise<void> {
  while ((await draftPeriod(tx, workspaceId, payerId, day)) !== 'nothing_due');
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
         SELECT FROM invoice_lines l JOIN members m ON m.id = ${memberOfLine('l.description')}
         WHERE l.invoice_id = $4 AND m.status = 'active') AS pays`,
    [workspace_id, company_id, member_id, invoiceId, created_at, period_start],
  );
  if (pays) await tx.update(Invoice, { id: invoiceId }, { opened_by: job });
  if (pays) await openInvoice(tx, invoice, new Date());
  else await cancelInvoice(tx, invoiceId, new Date());
  return pays;
}

import { dayAfter, periodOf, startOfDay, type Day } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import { totalsOf } from '../../domain/invoices/invoice.js';
import { knownZone } from '../../domain/time-zone.js';
import { memberOfLine } from '../../domain/members/plans.js';
import { newId } from '../../db/ids.js';
import {
  findPeriodCosts,
  payerOf,
  type PeriodPayer,
  type SubscriptionTerms,
} from '../../db/queries/subscriptions/lines.js';
import { column, execute, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { holdPayers } from '../invoices/collections.js';
import { cancelDrafts, openDrafts } from '../invoices/lifecycle.js';
import { insertDrafts } from '../invoices/invoices.js';

/** How long a payer has to pay. */
const DUE_AFTER_MS = 14 * DAY_MS;

type Payer = PeriodPayer & SubscriptionTerms;

/** Locks those of some payers of one kind that have a billing period due by `day` and not processed. */
function lockDue(
  tx: Tx,
  workspaceId: string,
  kind: 'company' | 'member',
  ids: string[],
  day: Day,
): Promise<Payer[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const own =
    kind === 'member' ? 'NULL AS company_id, p.id AS member_id' : 'p.id AS company_id, NULL AS member_id';
  return many<Payer>(
    tx,
    `SELECT ${own}, p.billing_anchor AS anchor, coalesce(p.next_period_on, p.billing_anchor) AS next,
            p.workspace_id, w.currency, w.time_zone, w.tax_codes, w.tier_prices, w.plans
     FROM ${kind === 'member' ? 'members' : 'companies'} p JOIN workspaces w ON w.id = p.workspace_id
     WHERE p.id = ANY ($1) AND p.workspace_id = $2
       AND coalesce(p.next_period_on, p.billing_anchor) <= $3::date
     ORDER BY p.id FOR NO KEY UPDATE OF p`,
    [ids, workspaceId, day],
  );
}

/** Moves payers of one kind, by their ids, to their next periods. */
async function moveOn(
  tx: Tx,
  table: 'companies' | 'members',
  periods: { id: string | null; end: Day }[],
): Promise<void> {
  const own = periods.filter(({ id }) => id !== null);
  if (own.length === 0) return;
  await execute(
    tx,
    `UPDATE ${table} p SET next_period_on = moved.day
     FROM (SELECT * FROM unnest($1::text[], $2::date[]) AS m (id, day)) moved
     WHERE p.id = moved.id${table === 'companies' ? '::uuid' : ''}`,
    [own.map(({ id }) => id), own.map(({ end }) => end)],
  );
}

/** What was done for payers of a set. */
export interface DraftedPeriods {
  /** Those that had a period to process; they may have another. */
  due: string[];
  /** Those with a draft. */
  drafted: string[];
}

/**
 * Drafts the invoices of the oldest billing period of each of some payers of a workspace that is due by `day`
 * and not processed: a line for each member, and the pending charges; no invoice if there is nothing to pay.
 * The payers' rows are locked and moved to the next period in the same transaction, so that every period is
 * processed exactly once, even after a crash. Errors: `UnknownTimeZone`.
 */
export async function draftPeriods(
  tx: Tx,
  workspaceId: string,
  payerIds: string[],
  day: Day,
): Promise<DraftedPeriods> {
  const isMember = (id: string): boolean => id.startsWith('mem_');
  const payers = [
    ...(await lockDue(
      tx,
      workspaceId,
      'company',
      payerIds.filter((id) => !isMember(id)),
      day,
    )),
    ...(await lockDue(tx, workspaceId, 'member', payerIds.filter(isMember), day)),
  ];
  const [terms] = payers;
  if (!terms) return { due: [], drafted: [] };
  knownZone(terms.time_zone);
  const costs = await findPeriodCosts(tx, terms, payers);
  const periods = payers.map((payer) => ({ ...payer, period: periodOf(payer.anchor, payer.next) }));
  await moveOn(
    tx,
    'companies',
    periods.map(({ company_id, period }) => ({ id: company_id, end: period.end })),
  );
  await moveOn(
    tx,
    'members',
    periods.map(({ member_id, period }) => ({ id: member_id, end: period.end })),
  );
  const now = new Date();
  const drafts = periods
    .map(({ company_id, member_id, period, ...payer }) => {
      const id = payerOf({ company_id, member_id });
      const draft = {
        id: newId('inv'),
        workspace_id: workspaceId,
        kind: 'subscription' as const,
        currency: payer.currency,
        due_at: new Date(now.getTime() + DUE_AFTER_MS),
        company_id,
        member_id,
        period,
        created_at: now,
        lines: costs.get(id)!.lines,
      };
      return { payer: id, draft, charge_ids: costs.get(id)!.charge_ids };
    })
    .filter(({ draft }) => totalsOf(draft.lines).total_minor > 0);
  await insertDrafts(
    tx,
    workspaceId,
    drafts.map(({ draft }) => draft),
  );
  const charges = drafts.flatMap(({ draft, charge_ids }) =>
    charge_ids.map((id) => ({ id, invoice: draft.id })),
  );
  if (charges.length > 0) await putOnInvoices(tx, charges);
  return { due: payers.map(payerOf), drafted: drafts.map(({ payer }) => payer) };
}

/** Records on which invoices waiting charges are. */
async function putOnInvoices(tx: Tx, charges: { id: string; invoice: string }[]): Promise<void> {
  await execute(
    tx,
    `UPDATE subscription_charges c SET invoice_id = put.invoice_id
     FROM unnest($1::text[], $2::text[]) AS put (id, invoice_id) WHERE c.id = put.id`,
    [charges.map(({ id }) => id), charges.map(({ invoice }) => invoice)],
  );
}

/** Drafts all of a payer's billing periods that are due by `day` and not processed; the job opens them. */
export async function draftDuePeriods(tx: Tx, workspaceId: string, payerId: string, day: Day): Promise<void> {
  while ((await draftPeriods(tx, workspaceId, [payerId], day)).due.length > 0);
}

/**
 * Finishes drafts of a workspace: opens each, or cancels it if its payer has left since it was drafted
 * and has no other charges. A payer who had left before still pays, for a period that a late job
 * catches up on; so does a company for a member who pays for themselves since. Returns how many are
 * open; their rows then name the job.
 */
export async function finishDrafts(tx: Tx, invoiceIds: string[], job: string): Promise<number> {
  await holdPayers(tx, invoiceIds);
  const drafts = await many<{ id: string; period_start: Day; time_zone: string }>(
    tx,
    `SELECT i.id, i.period_start, w.time_zone FROM invoices i JOIN workspaces w ON w.id = i.workspace_id
     WHERE i.id = ANY ($1) AND i.status = 'draft' ORDER BY i.id FOR NO KEY UPDATE OF i`,
    [invoiceIds],
  );
  const paying = await column<string>(
    tx,
    `SELECT i.id FROM unnest($1::text[], $2::timestamptz[]) AS d (id, day_after)
      JOIN invoices i ON i.id = d.id
     WHERE (
       EXISTS (
         SELECT FROM members m
         WHERE (m.company_id = i.company_id OR m.id = i.member_id) AND m.workspace_id = i.workspace_id
           AND (m.status = 'active'
           OR m.status = 'archived' AND m.archived_at < i.created_at AND m.archived_at >= d.day_after))
       OR EXISTS (SELECT FROM subscription_charges WHERE invoice_id = i.id)
       OR EXISTS (
         SELECT FROM invoice_lines l JOIN members m ON m.id = ${memberOfLine('l.description')}
         WHERE l.invoice_id = i.id AND m.status = 'active'))`,
    [
      drafts.map(({ id }) => id),
      // When the period's first day has ended.
      drafts.map(({ period_start, time_zone }) => startOfDay(dayAfter(period_start), knownZone(time_zone))),
    ],
  );
  const now = new Date();
  await openDrafts(tx, paying, job, now);
  const pays = new Set(paying);
  const others = drafts.map(({ id }) => id).filter((id) => !pays.has(id));
  if (others.length > 0) await cancelDrafts(tx, others, now);
  return paying.length;
}

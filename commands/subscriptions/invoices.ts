import { dayBefore, periodContaining, type Day } from '../../domain/cycle.js';
import { DAY_MS } from '../../domain/durations.js';
import { sumTotals } from '../../domain/invoices/invoice.js';
import { knownZone } from '../../domain/time-zone.js';
import { newId } from '../../db/ids.js';
import {
  findPeriodCosts,
  payerKey,
  type PeriodPayer,
  type SubscriptionTerms,
} from '../../db/queries/subscriptions/lines.js';
import type { MemberRow } from '../../db/queries/members/member.js';
import { listDuePayers } from '../../db/queries/subscriptions/subscription.js';
import { execute, many } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { holdPayers } from '../invoices/collections.js';
import { cancelDrafts, openDrafts } from '../invoices/lifecycle.js';
import { insertDrafts } from '../invoices/invoices.js';

/** How long a payer has to pay. */
const DUE_AFTER_MS = 14 * DAY_MS;

/** How many payers are drafted together. */
const PAYERS = 200;

type Payer = PeriodPayer & SubscriptionTerms;

/** Locks the companies that have an unprocessed billing period due by `day`. */
const lockDueCompanies = (tx: Tx, workspaceId: string, ids: string[], day: Day): Promise<Payer[]> =>
  many<Payer>(
    tx,
    `SELECT c.id AS company_id, NULL AS member_id, c.billing_anchor AS anchor,
            coalesce(c.next_period_on, c.billing_anchor) AS next, c.workspace_id, w.currency, w.time_zone,
              w.tax_codes,
            w.tier_prices, w.plans
     FROM companies c JOIN workspaces w ON w.id = c.workspace_id
     WHERE c.id = ANY ($1) AND c.workspace_id = $2
       AND coalesce(c.next_period_on, c.billing_anchor) <= $3::date
     ORDER BY c.id FOR NO KEY UPDATE OF c`,
    [ids, workspaceId, day],
  );

/** Does the same for members. */
const lockDueMembers = (tx: Tx, workspaceId: string, ids: string[], day: Day): Promise<Payer[]> =>
  many<Payer>(
    tx,
    `SELECT NULL AS company_id, m.id AS member_id, m.billing_anchor AS anchor,
            coalesce(m.next_period_on, m.billing_anchor) AS next, m.workspace_id, w.currency, w.time_zone,
              w.tax_codes,
            w.tier_prices, w.plans
     FROM members m JOIN workspaces w ON w.id = m.workspace_id
     WHERE m.id = ANY ($1) AND m.workspace_id = $2
       AND coalesce(m.next_period_on, m.billing_anchor) <= $3::date
     ORDER BY m.id FOR NO KEY UPDATE OF m`,
    [ids, workspaceId, day],
  );

async function moveOn(
  tx: Tx,
  periods: { company_id: string | null; member_id: string | null; period: { end: Day } }[],
): Promise<void> {
  const companies = periods.filter(({ company_id }) => company_id !== null);
  const members = periods.filter(({ member_id }) => member_id !== null);
  if (companies.length > 0)
    await execute(
      tx,
      `UPDATE companies c SET next_period_on = moved.day
       FROM unnest($1::uuid[], $2::date[]) AS moved (id, day) WHERE c.id = moved.id`,
      [companies.map(({ company_id }) => company_id), companies.map(({ period }) => period.end)],
    );
  if (members.length > 0)
    await execute(
      tx,
      `UPDATE members m SET next_period_on = moved.day
       FROM unnest($1::text[], $2::date[]) AS moved (id, day) WHERE m.id = moved.id`,
      [members.map(({ member_id }) => member_id), members.map(({ period }) => period.end)],
    );
}

/** The result for a set of payers. */
export interface DraftedPeriods {
  /** The payers that had a period to process; they may have another one. */
  due: string[];
  drafted: string[];
}

/**
 * Drafts the invoices of the oldest unprocessed billing period that is due by `day`, for each of several
 * payers of a workspace. An invoice has a line for each member, and the pending charges; there is no invoice
 * if nothing is to be paid. The payers' rows are locked and moved to the next period in the same transaction,
 * so that every period is processed exactly once, even after a crash. Errors: `UnknownTimeZone`.
 */
export async function draftPeriods(
  tx: Tx,
  workspaceId: string,
  payerIds: string[],
  day: Day,
): Promise<DraftedPeriods> {
  const isMember = (id: string): boolean => id.startsWith('mem_');
  const companies = payerIds.filter((id) => !isMember(id));
  const members = payerIds.filter(isMember);
  // Members first, like a change of a member, which then locks the companies.
  const payers = [
    ...(members.length > 0 ? await lockDueMembers(tx, workspaceId, members, day) : []),
    ...(companies.length > 0 ? await lockDueCompanies(tx, workspaceId, companies, day) : []),
  ];
  const [terms] = payers;
  if (!terms) return { due: [], drafted: [] };
  knownZone(terms.time_zone);
  const costs = await findPeriodCosts(tx, terms, payers);
  const periods = payers.map((payer) => ({ ...payer, period: periodContaining(payer.anchor, payer.next) }));
  await moveOn(tx, periods);
  const now = new Date();
  const drafts = periods
    .map(({ company_id, member_id, period, ...payer }) => {
      const id = payerKey({ company_id, member_id });
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
    .filter(({ draft }) => sumTotals(draft.lines).total_minor > 0);
  await insertDrafts(
    tx,
    workspaceId,
    drafts.map(({ draft }) => draft),
  );
  const charges = drafts.flatMap(({ draft, charge_ids }) =>
    charge_ids.map((id) => ({ id, invoice: draft.id })),
  );
  if (charges.length > 0) await putOnInvoices(tx, charges);
  return { due: payers.map(payerKey), drafted: drafts.map(({ payer }) => payer) };
}

/** Records the invoices of pending charges. */
async function putOnInvoices(tx: Tx, charges: { id: string; invoice: string }[]): Promise<void> {
  await execute(
    tx,
    `UPDATE subscription_charges c SET invoice_id = put.invoice_id
     FROM unnest($1::text[], $2::text[]) AS put (id, invoice_id) WHERE c.id = put.id`,
    [charges.map(({ id }) => id), charges.map(({ invoice }) => invoice)],
  );
}

/**
 * Drafts all unprocessed billing periods of payers that are due by `day`, before a change that decides what
 * they cost (docs/rules/billing.md#subscription-invoices). The job opens them. Errors: `UnknownTimeZone` if
 * a period is due.
 */
export async function draftDuePeriods(
  tx: Tx,
  workspaceId: string,
  payerIds: string[],
  day: Day,
): Promise<void> {
  for (let left = payerIds; left.length > 0;)
    ({ due: left } = await draftPeriods(tx, workspaceId, left, day));
}

/**
 * Drafts what a member's payer owes for months that began before today, before a change of the member, and
 * what the company owes that they join. The change applies to a month that begins today, unless it is already
 * drafted.
 */
export const draftOwed = (
  tx: Tx,
  { id, workspace_id, company_id }: Pick<MemberRow, 'id' | 'workspace_id' | 'company_id'>,
  today: Day,
  joined: string | null = null,
): Promise<void> =>
  draftDuePeriods(tx, workspace_id, [company_id ?? id, ...(joined ? [joined] : [])], dayBefore(today));

/**
 * Drafts all due periods of all payers of a workspace. Locks all its members first, since a change of a
 * member locks the member before companies.
 */
export async function draftAllDuePeriods(tx: Tx, workspaceId: string, day: Day): Promise<void> {
  await execute(tx, `SELECT FROM members WHERE workspace_id = $1 ORDER BY id FOR NO KEY UPDATE`, [
    workspaceId,
  ]);
  for (;;) {
    const payers = await listDuePayers(tx, { workspaceId, day }, '', PAYERS);
    if (payers.length === 0) return;
    await draftDuePeriods(tx, workspaceId, payers, day);
  }
}

/**
 * Finishes drafts of a workspace: opens each one, or cancels it if its payer was erased since it was drafted
 * and has no other charges. A draft says what its payer owes, whatever has changed since
 * (docs/rules/billing.md#subscription-invoices). Returns how many are open; their rows then contain the job.
 */
export async function finishDrafts(tx: Tx, invoiceIds: string[], job: string): Promise<number> {
  await holdPayers(tx, invoiceIds);
  const drafts = await many<{ id: string; is_owed: boolean }>(
    tx,
    `SELECT i.id, EXISTS (SELECT FROM subscription_charges WHERE invoice_id = i.id)
        OR NOT EXISTS (SELECT FROM members WHERE id = i.member_id AND status = 'deleted') AS is_owed
     FROM invoices i WHERE i.id = ANY ($1) AND i.status = 'draft' ORDER BY i.id FOR NO KEY UPDATE OF i`,
    [invoiceIds],
  );
  const [owed, others] = [true, false].map((is) =>
    drafts.filter(({ is_owed }) => is_owed === is).map(({ id }) => id),
  ) as [string[], string[]];
  const now = new Date();
  await openDrafts(tx, owed, job, now);
  if (others.length > 0) await cancelDrafts(tx, others, now);
  return owed.length;
}

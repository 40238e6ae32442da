import { dayIn, periodContaining, type Day } from '../../domain/cycle.js';
import type { MemberRow } from '../../db/queries/members/member.js';
import { execute, exists, one } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { Member } from '../../db/entities/members.js';
import { SubscriptionCharge } from '../../db/entities/subscriptions.js';
import type { Tx } from '../../db/transaction.js';
import { draftDuePeriods } from './invoices.js';

/**
 * Adds a line to the next subscription invoice of a member's payer: the company, or the member if there is
 * none. Minor units of the workspace's currency, without tax. Adding the same id again changes nothing.
 */
export async function addSubscriptionCharge(
  tx: Tx,
  charge: { id: string; member_id: string; description: string; net_minor: number },
): Promise<void> {
  const { id, member_id, description, net_minor } = charge;
  const member = await tx.findOneByOrFail(Member, { id: member_id });
  const { workspace_id, company_id } = member;
  const payer = { company_id, member_id: company_id ? null : member_id };
  await insertIfAbsent(tx, SubscriptionCharge, { id, workspace_id, ...payer, description, net_minor });
}

/**
 * Drafts what is owed before a member moves, besides `draftOwed`: the former payer pays for a month that
 * begins today, unless the member joins a company of which a month begins today.
 */
export async function draftBeforeMove(
  tx: Tx,
  { id, workspace_id, company_id: former }: Pick<MemberRow, 'id' | 'workspace_id' | 'company_id'>,
  companyId: string | null,
  today: Day,
): Promise<void> {
  if (companyId) {
    const paying = `SELECT FROM companies
      WHERE id = $1 AND coalesce(next_period_on, billing_anchor, $2::date) <= $2::date`;
    if (await exists(tx, paying, [companyId, today])) return;
  }
  await draftDuePeriods(tx, workspace_id, [former ?? id], today);
}

/**
 * Changes a member's payer, after the periods of the former payer were drafted (`draftBeforeMove`). A company
 * takes over the charges that wait for the member's next invoice. Members who pay for themselves again begin
 * when what was paid for them ends: their own months count from that day.
 */
export async function changePayer(
  tx: Tx,
  member: Pick<MemberRow, 'id' | 'company_id'>,
  companyId: string | null,
  today: Day,
): Promise<void> {
  const { id, company_id: former } = member;
  if (companyId) {
    await execute(
      tx,
      `UPDATE subscription_charges SET company_id = $2, member_id = NULL WHERE member_id = $1
        AND invoice_id IS NULL`,
      [id, companyId],
    );
    return;
  }
  await execute(
    tx,
    `UPDATE members SET billing_anchor = $2, next_period_on = $2
     WHERE id = $1 AND (billing_anchor IS NOT NULL OR status IN ('active', 'paused'))`,
    [id, await paidUntil(tx, id, former!, today)],
  );
}

/**
 * Returns the end of what is paid for a member who leaves a company; today if nothing is paid. A member with
 * a free tier is on no invoice, so the company's current period counts if it began with them.
 */
async function paidUntil(tx: Tx, memberId: string, companyId: string, today: Day): Promise<Day> {
  const { invoiced, joined_at, time_zone, next, company } = await one<{
    invoiced: Day | null;
    joined_at: Date | null;
    time_zone: string;
    /** The day from which they have not paid for themselves. */
    next: Day | null;
    company: { billing_anchor: Day; next_period_on: Day } | null;
  }>(
    tx,
    `SELECT (SELECT max(i.period_end)::text FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id
             WHERE i.workspace_id = m.workspace_id AND i.kind = 'subscription' AND i.status <> 'cancelled'
               AND i.period_end > $3::date
               AND member_of_line(l.description) = m.id
               AND NOT EXISTS (SELECT FROM subscription_charges c
                               WHERE c.invoice_id = i.id AND c.description = l.description)) AS invoiced,
            m.joined_at, w.time_zone, coalesce(m.next_period_on, m.billing_anchor)::text AS next,
            (SELECT json_build_object('billing_anchor', billing_anchor, 'next_period_on', next_period_on)
             FROM companies WHERE id = $2 AND next_period_on > $3::date) AS company
     FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.id = $1`,
    [memberId, companyId, today],
  );
  if (invoiced) return invoiced;
  if (!company) return today;
  const { start, end } = periodContaining(company.billing_anchor, today);
  const beganWith = joined_at !== null && dayIn(time_zone, joined_at) <= start && (next ?? '') <= start;
  return beganWith ? end : today;
}

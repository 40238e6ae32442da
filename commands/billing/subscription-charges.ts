import { periodOf, type Day } from '../../domain/cycle.js';
import { execute } from '../../db/query.js';
import { insertIfAbsent } from '../../db/insert.js';
import { Member } from '../../db/entities/members.js';
import { SubscriptionCharge } from '../../db/entities/subscriptions.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Adds a line to the next subscription invoice of a member's payer: the company, or the member if there is none. Minor
 * units of the workspace's currency, without tax. Adding the same id again changes nothing.
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
 * Changes a member's payer. A company takes over the charges that wait for the member's next invoice. Members who pay
 * for themselves again start with their next billing period, since the company has paid for the current one.
 */
export async function changePayer(
  tx: Tx,
  memberId: string,
  companyId: string | null,
  today: Day,
): Promise<void> {
  if (companyId) {
    await execute(
      tx,
      `UPDATE subscription_charges SET company_id = $2, member_id = NULL WHERE member_id = $1 AND invoice_id IS NULL`,
      [memberId, companyId],
    );
    return;
  }
  const { billing_anchor } = await tx.findOneByOrFail(Member, { id: memberId });
  if (!billing_anchor) return;
  const { start, end } = periodOf(billing_anchor, today);
  await execute(tx, `UPDATE members SET next_period_on = greatest(next_period_on, $2::date) WHERE id = $1`, [
    memberId,
    start === today ? start : end,
  ]);
}

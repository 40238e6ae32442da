import { In } from 'typeorm';
import { DAY_MS } from '../../domain/durations.js';
import { priceLines, sumTotals } from '../../domain/invoices/invoice.js';
import { upgradeLine } from '../../domain/members/plans.js';
import type { Tier } from '../../domain/rates/price.js';
import { membershipTaxCode, upgradeCharge } from '../../domain/members/tiers.js';
import { canMove, TIER_CHANGE_TRANSITIONS } from '../../domain/states.js';
import { newId } from '../../db/ids.js';
import { execute, one } from '../../db/query.js';
import { NOW } from '../../db/database-time.js';
import { Member } from '../../db/entities/members.js';
import { TierChange } from '../../db/entities/subscriptions.js';
import { storeNow, type Tx } from '../../db/transaction.js';
import { insertInvoice } from '../invoices/invoices.js';
import { addSubscriptionCharge } from './charges.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { MemberRow } from '../../db/queries/members/member.js';

/** How long a payer has to pay. */
const DUE_AFTER_MS = 14 * DAY_MS;

/**
 * Stores an upgrade in the transaction that changes the tier (docs/rules/billing.md#tier-upgrades). If the
 * workspace has an active processor account, a workflow checks with the processor for the price. Otherwise
 * the difference is added to the payer's next subscription invoice.
 */
export async function insertTierChange(
  tx: Tx,
  member: MemberRow,
  change: { event_id: string; from_tier: Tier },
): Promise<void> {
  const { workspace_id, id: member_id, tier, plans } = member;
  const { tier_prices, processor_status } = (await findWorkspace(tx, workspace_id))!;
  const { from_tier, event_id } = change;
  const { today, end, net_minor, remaining_share } = upgradeCharge(
    member,
    { from: from_tier, to: tier, tier_prices },
    new Date(),
  );
  const upgrade = { from: from_tier, to: tier, id: member_id };
  const description = upgradeLine(plans, upgrade, { start: today, end });
  const id = newId('tch');
  const isPricedByProcessor = processor_status === 'active';
  await storeNow(tx);
  await tx.insert(TierChange, {
    id,
    workspace_id,
    member_id,
    event_id,
    from_tier,
    to_tier: tier,
    description,
    net_minor,
    remaining_share,
    ...(!isPricedByProcessor && { state: 'done' as const, notified_at: NOW }),
  });
  if (!isPricedByProcessor && net_minor > 0)
    await addSubscriptionCharge(tx, { id, member_id, description, net_minor });
}

function lockTierChange(tx: Tx, id: string): Promise<TierChange> {
  return one<TierChange>(tx, `SELECT * FROM tier_changes WHERE id = $1 FOR NO KEY UPDATE`, [id]);
}

/** Records the processor's price for an upgrade, before the subscription is changed. */
export async function setTierPrice(
  tx: Tx,
  id: string,
  price: { subscription_id: string; net_minor: number },
): Promise<void> {
  const { subscription_id, net_minor } = price;
  const { from, to } = TIER_CHANGE_TRANSITIONS.price;
  await tx.update(TierChange, { id, state: In(from) }, { state: to, subscription_id, net_minor });
}

/** Adds an upgrade without a processor price to the payer's next subscription invoice. Idempotent. */
export async function chargeTierChangeLater(tx: Tx, id: string): Promise<void> {
  const change = await lockTierChange(tx, id);
  if (!canMove(TIER_CHANGE_TRANSITIONS.charge_later, change.state)) return;
  if (change.net_minor > 0) await addSubscriptionCharge(tx, change);
  await tx.update(TierChange, { id }, { state: TIER_CHANGE_TRANSITIONS.charge_later.to });
}

/** Invoices an upgrade at the processor's price; no invoice if the total is zero. Idempotent. */
export async function invoiceTierChange(tx: Tx, id: string): Promise<void> {
  const change = await lockTierChange(tx, id);
  if (!canMove(TIER_CHANGE_TRANSITIONS.invoice, change.state)) return;
  const { workspace_id, member_id, description, net_minor } = change;
  const { currency, tax_codes } = (await findWorkspace(tx, workspace_id))!;
  const { company_id } = await tx.findOneByOrFail(Member, { id: member_id });
  const request = {
    description,
    quantity: 1,
    unit_amount_minor: net_minor,
    tax_code: membershipTaxCode(tax_codes),
  };
  const lines = priceLines([request], tax_codes, currency);
  const invoiceId = sumTotals(lines).total_minor > 0 ? newId('inv') : null;
  const now = new Date();
  if (invoiceId) {
    await insertInvoice(tx, {
      id: invoiceId,
      workspace_id,
      kind: 'ad_hoc',
      currency,
      due_at: new Date(now.getTime() + DUE_AFTER_MS),
      company_id,
      member_id: company_id ? null : member_id,
      created_at: now,
      lines,
    });
  }
  const { to: state } = TIER_CHANGE_TRANSITIONS.invoice;
  await tx.update(TierChange, { id }, { state, invoice_id: invoiceId });
}

/** Records that the workflow of these upgrades was notified. */
export async function markTierChangesNotified(tx: Tx, ids: string[]): Promise<void> {
  await execute(tx, `UPDATE tier_changes SET notified_at = now() WHERE id = ANY ($1)`, [ids]);
}

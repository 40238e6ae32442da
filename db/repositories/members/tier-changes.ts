import { dayIn, periodOf } from '../../../domain/cycle.js';
import { priceLines, totalsOf } from '../../../domain/invoice.js';
import type { Tier } from '../../../domain/price.js';
import { membershipTaxCode, prorate } from '../../../domain/tiers.js';
import { newId } from '../../ids.js';
import type { Tx } from '../../transaction.js';
import { insertInvoice } from '../billing/invoices.js';
import type { MemberRow } from './members.js';
import { chargeWithNextInvoice } from '../billing/subscriptions.js';
import { findWorkspace } from '../workspaces/workspaces.js';

/** A payer has this long to pay. */
const DUE_AFTER_MS = 14 * 86_400_000;

/** An upgrade that has to be paid for. */
export interface TierChange {
  id: string;
  workspace_id: string;
  member_id: string;
  event_id: string;
  from_tier: Tier;
  to_tier: Tier;
  /** What the payer reads; it names nobody. */
  description: string;
  /** The difference for the rest of the payer's month, without tax. */
  net_minor: number;
  state: 'requested' | 'priced' | 'done';
  subscription_id: string | null;
  invoice_id: string | null;
  created_at: Date;
}

/**
 * Stores an upgrade in the transaction that makes it (decisions.md, "Members"). Where the workspace has an account at
 * the processor its run is to ask what it costs; elsewhere the difference goes on the payer's next subscription invoice.
 */
export async function insertTierChange(
  tx: Tx,
  member: MemberRow,
  change: { event_id: string; from_tier: Tier },
): Promise<void> {
  const { workspace_id, id: member_id, tier, time_zone, cycle_anchor } = member;
  const { tier_prices, processor_status } = (await findWorkspace(tx, workspace_id))!;
  const today = dayIn(time_zone, new Date());
  const period = periodOf(cycle_anchor, today);
  const { from_tier, event_id } = change;
  const net_minor = prorate(tier_prices[tier] - tier_prices[from_tier], period, today);
  const description = `Membership upgrade ${from_tier} to ${tier}, ${today} to ${period.end} (${member_id})`;
  const id = newId('tch');
  const asks = processor_status === 'active';
  await tx.query(
    `INSERT INTO tier_changes (id, workspace_id, member_id, event_id, from_tier, to_tier, description, net_minor, state,
                               notified_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, CASE WHEN $9 = 'done' THEN now() END)`,
    [
      id,
      workspace_id,
      member_id,
      event_id,
      from_tier,
      tier,
      description,
      net_minor,
      asks ? 'requested' : 'done',
    ],
  );
  if (!asks && net_minor > 0) await chargeWithNextInvoice(tx, { id, member_id, description, net_minor });
}

/** An upgrade by id. */
export async function findTierChange(tx: Tx, id: string): Promise<TierChange | null> {
  const rows = await tx.query(`SELECT * FROM tier_changes WHERE id = $1`, [id]);
  return rows[0] ?? null;
}

/** A workspace's upgrades that are still to be paid for, in their order, each with its event. */
export async function findUnfinishedTierChanges(
  tx: Tx,
  workspaceId: string,
  limit: number,
): Promise<{ id: string; event_id: string }[]> {
  return tx.query(
    `SELECT id, event_id FROM tier_changes WHERE workspace_id = $1 AND state <> 'done' ORDER BY created_at, id LIMIT $2`,
    [workspaceId, limit],
  );
}

/** How many members of the workspace are active on a tier: what its item of the subscription counts. */
export async function countOnTier(tx: Tx, workspaceId: string, tier: Tier): Promise<number> {
  const [{ count }] = await tx.query(
    `SELECT count(*)::integer FROM members WHERE workspace_id = $1 AND tier = $2 AND status = 'active'`,
    [workspaceId, tier],
  );
  return count;
}

async function lockTierChange(tx: Tx, id: string): Promise<TierChange> {
  const [row] = await tx.query(`SELECT * FROM tier_changes WHERE id = $1 FOR NO KEY UPDATE`, [id]);
  return row;
}

/** Notes what the processor says an upgrade costs, before its subscription is changed. */
export async function noteTierPrice(
  tx: Tx,
  id: string,
  price: { subscription_id: string; net_minor: number },
): Promise<void> {
  await tx.query(
    `UPDATE tier_changes SET state = 'priced', subscription_id = $2, net_minor = $3 WHERE id = $1 AND state = 'requested'`,
    [id, price.subscription_id, price.net_minor],
  );
}

/** Has an upgrade that the processor knows nothing of paid with the payer's next subscription invoice. Once. */
export async function chargeTierChangeLater(tx: Tx, id: string): Promise<void> {
  const change = await lockTierChange(tx, id);
  if (change.state !== 'requested') return;
  if (change.net_minor > 0) await chargeWithNextInvoice(tx, change);
  await tx.query(`UPDATE tier_changes SET state = 'done' WHERE id = $1`, [id]);
}

/** Makes the invoice of an upgrade at what the processor says it costs; nothing, no invoice. Once. */
export async function invoiceTierChange(tx: Tx, id: string): Promise<void> {
  const change = await lockTierChange(tx, id);
  if (change.state !== 'priced') return;
  const { workspace_id, member_id, description, net_minor } = change;
  const { currency, tax_codes } = (await findWorkspace(tx, workspace_id))!;
  const [{ company_id }] = await tx.query(`SELECT company_id FROM members WHERE id = $1`, [member_id]);
  const request = {
    description,
    quantity: 1,
    unit_amount_minor: net_minor,
    tax_code: membershipTaxCode(tax_codes),
  };
  const lines = priceLines([request], tax_codes);
  const invoiceId = totalsOf(lines).total_minor > 0 ? newId('inv') : null;
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
  await tx.query(`UPDATE tier_changes SET state = 'done', invoice_id = $2 WHERE id = $1`, [id, invoiceId]);
}

/** Workspaces with upgrades that no run knows of, with their ids. */
export function findTierChangesToHandOver(tx: Tx): Promise<{ workspace_id: string; ids: string[] }[]> {
  return tx.query(
    `SELECT workspace_id, array_agg(id) AS ids FROM tier_changes WHERE notified_at IS NULL
     GROUP BY workspace_id LIMIT 100`,
  );
}

/** Notes that a run has been told of these upgrades. */
export async function markTierChangesHandedOver(tx: Tx, ids: string[]): Promise<void> {
  await tx.query(`UPDATE tier_changes SET notified_at = now() WHERE id = ANY ($1)`, [ids]);
}

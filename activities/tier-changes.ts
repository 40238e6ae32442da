import type { DataSource } from 'typeorm';
import {
  type TierChange,
  countOnTier,
  findTierChange,
  findUnfinishedTierChanges,
} from '../db/repositories/members/tier-change-queries.js';
import {
  chargeTierChangeLater,
  invoiceTierChange,
  setTierPrice,
} from '../db/repositories/members/tier-changes.js';
import { findWorkspace } from '../db/repositories/workspaces/workspace-queries.js';
import { transaction } from '../db/transaction.js';
import { failures, isAccountUnusable, isRefused } from './failures.js';
import type { Processor, TierSwap } from './gateways/processor.js';

/** How many upgrades have their events sent concurrently. */
const PAGE = 20;

/** The processor's price for an upgrade, without tax, in minor units; null if there is no subscription to prorate. */
export type TierQuote = { subscriptionId: string; netMinor: number } | null;

/** Tier upgrades, prorated by the workspace's subscription at the processor (docs/rules/billing.md#tier-upgrades). */
export function createTierChangeActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existing(changeId: string): Promise<TierChange> {
    const change = await findTierChange(db.manager, changeId);
    if (!change) throw failures.referenceMissing(`tier change ${changeId}`);
    return change;
  }

  /** The upgrade as the processor needs it; null if the workspace has no active account there. */
  async function swapOf(change: TierChange): Promise<TierSwap | null> {
    const { workspace_id, from_tier, to_tier } = change;
    const workspace = (await findWorkspace(db.manager, workspace_id))!;
    const { processor_account_id: account_id, processor_status, currency, tier_prices } = workspace;
    if (!account_id || processor_status !== 'active') return null;
    const side = async (tier: typeof from_tier) => ({
      tier,
      price_minor: tier_prices[tier],
      members: await countOnTier(db.manager, workspace_id, tier),
    });
    const [from, to] = [await side(from_tier), await side(to_tier)];
    return { account_id, workspace_id, currency, from, to, at: change.created_at };
  }

  return {
    /** A page of a workspace's upgrades that are not billed yet, oldest first, with their events. */
    async listTierChanges(workspaceId: string): Promise<{ changeId: string; eventId: string }[]> {
      const rows = await findUnfinishedTierChanges(db.manager, workspaceId, PAGE);
      return rows.map(({ id, event_id }) => ({ changeId: id, eventId: event_id }));
    },

    /**
     * Asks the processor to prorate an upgrade for the rest of the period, unless its price is stored already. Null if
     * there is no usable account or subscription, or the processor refuses.
     */
    async quoteTierChange(changeId: string): Promise<TierQuote> {
      const change = await existing(changeId);
      if (change.subscription_id)
        return { subscriptionId: change.subscription_id, netMinor: change.net_minor };
      const swap = await swapOf(change);
      if (!swap) return null;
      try {
        const quote = await processor.quoteTierSwap(swap);
        return quote && { subscriptionId: quote.subscription_id, netMinor: quote.net_minor };
      } catch (error) {
        if (isAccountUnusable(error) || isRefused(error)) return null;
        throw error;
      }
    },

    /** Stores the price. Without one, the difference goes on the payer's next subscription invoice. */
    async recordTierQuote({ changeId, quote }: { changeId: string; quote: TierQuote }): Promise<void> {
      await transaction(db, async (tx) => {
        if (!quote) return chargeTierChangeLater(tx, changeId);
        const price = { subscription_id: quote.subscriptionId, net_minor: quote.netMinor };
        await setTierPrice(tx, changeId, price);
      });
    },

    /** Sets the quantities of both tiers on the subscription to their current number of members. Idempotent. */
    async updateSubscriptionItems(changeId: string): Promise<void> {
      const change = await existing(changeId);
      const swap = await swapOf(change);
      if (!swap || change.state === 'done') return;
      try {
        await processor.setTierCounts(change.subscription_id!, swap);
      } catch (error) {
        // The subscription no longer exists. Its quote remains valid.
        if (!isAccountUnusable(error) && !isRefused(error)) throw error;
      }
    },

    /** Creates the upgrade's invoice, once. */
    async invoiceTierChange(changeId: string): Promise<void> {
      await transaction(db, (tx) => invoiceTierChange(tx, changeId));
    },
  };
}

import type { DataSource } from 'typeorm';
import {
  countOnTier,
  findTierChange,
  findUnfinishedTierChanges,
  type TierChange,
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

/** The event attempts of so many upgrades are made side by side. */
const AT_ONCE = 20;

/** What the processor says an upgrade costs, without tax; null where it has no subscription of the workspace's. */
export type TierQuote = { subscriptionId: string; netMinor: number } | null;

/** Upgrades, as the workspace's subscription at the processor prorates them (decisions.md, "Members"). */
export function createTierChangeActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existing(changeId: string): Promise<TierChange> {
    const change = await findTierChange(db.manager, changeId);
    if (!change) throw failures.referenceMissing(`tier change ${changeId}`);
    return change;
  }

  /** The upgrade as the processor is told of it; null where the workspace has no account there (any more). */
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
    /** A workspace's upgrades that are to be paid for, oldest first, with their events; some at a time. */
    async listTierChanges(workspaceId: string): Promise<{ changeId: string; eventId: string }[]> {
      const rows = await findUnfinishedTierChanges(db.manager, workspaceId, AT_ONCE);
      return rows.map(({ id, event_id }) => ({ changeId: id, eventId: event_id }));
    },

    /**
     * Asks what an upgrade costs for the rest of the period. One that has been answered before is answered the same. An
     * account that can't be used, or refuses to say, has no subscription as far as we go.
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

    /** Stores the answer; without one the difference goes on the payer's next subscription invoice. */
    async settleTierChange({ changeId, quote }: { changeId: string; quote: TierQuote }): Promise<void> {
      await transaction(db, async (tx) => {
        if (!quote) return chargeTierChangeLater(tx, changeId);
        const price = { subscription_id: quote.subscriptionId, net_minor: quote.netMinor };
        await setTierPrice(tx, changeId, price);
      });
    },

    /** Brings the subscription to how many members each of the two tiers has now: once or several times is the same. */
    async followTierChange(changeId: string): Promise<void> {
      const change = await existing(changeId);
      const swap = await swapOf(change);
      if (!swap || change.state === 'done') return;
      try {
        await processor.setTierCounts(change.subscription_id!, swap);
      } catch (error) {
        // Gone in the meantime: what it said the change costs still holds.
        if (!isAccountUnusable(error) && !isRefused(error)) throw error;
      }
    },

    /** Makes the upgrade's invoice, once. */
    async invoiceTierChange(changeId: string): Promise<void> {
      await transaction(db, (tx) => invoiceTierChange(tx, changeId));
    },
  };
}

import type { DataSource } from 'typeorm';
import type { TierChange } from '../../db/entities/subscriptions.js';
import {
  countByTier,
  findTierChange,
  findUnfinishedTierChanges,
} from '../../db/queries/subscriptions/tier-change.js';
import {
  chargeTierChangeLater,
  invoiceTierChange,
  setTierPrice,
} from '../../commands/subscriptions/tier-changes.js';
import {
  findTierSubscription,
  saveTierSubscription,
  type TierSubscriptionRow,
} from '../../commands/subscriptions/tier-subscriptions.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { transaction } from '../../db/transaction.js';
import { failures, isAccountUnusable, isRefused } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import type { TierSwap, WorkspaceTiers } from '../gateways/processor-tiers.js';

/** The number of upgrades whose events are sent concurrently. */
const PAGE = 20;

type TierSubscription = Omit<TierSubscriptionRow, 'created_at'>;

/** The processor's price for an upgrade, without tax, in minor units; null without a usable account. */
export type TierQuote = { subscriptionId: string; netMinor: number } | null;

/**
 * Tier upgrades, prorated by the workspace's subscription at the processor
 * (docs/rules/billing.md#tier-upgrades).
 */
export function createTierChangeActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  async function existing(changeId: string): Promise<TierChange> {
    const change = await findTierChange(db.manager, changeId);
    if (!change) throw failures.referenceMissing(`tier change ${changeId}`);
    return change;
  }

  /** Returns the workspace's tiers as the processor needs them; null if it has no active account there. */
  async function findWorkspaceTiers(workspace_id: string): Promise<WorkspaceTiers | null> {
    const workspace = (await findWorkspace(db.manager, workspace_id))!;
    const { processor_account_id: account_id, processor_status, currency, tier_prices: prices } = workspace;
    if (!account_id || processor_status !== 'active') return null;
    return {
      account_id,
      workspace_id,
      currency,
      prices,
      members: await countByTier(db.manager, workspace_id),
    };
  }

  /** Creates the workspace's subscription: the first one, or a replacement for `before`. */
  async function createSubscription(
    tiers: WorkspaceTiers,
    before: TierSubscription | null,
  ): Promise<TierSubscription> {
    const generation = (before?.generation ?? 0) + 1;
    const created = await processor.createTierSubscription(tiers, generation);
    const { workspace_id, account_id, currency } = tiers;
    const row = { workspace_id, account_id, currency, generation, ...created };
    await saveTierSubscription(db.manager, row);
    return row;
  }

  /** Returns the workspace's subscription, and creates it if there is none on its account in its currency. */
  async function ensureSubscription(tiers: WorkspaceTiers): Promise<TierSubscription> {
    const known = await findTierSubscription(db.manager, tiers.workspace_id);
    const fits = known?.account_id === tiers.account_id && known.currency === tiers.currency;
    return known && fits ? known : createSubscription(tiers, known);
  }

  /** Prorates an upgrade. A subscription that no longer exists at the processor is created again. */
  async function quote(swap: TierSwap): Promise<TierQuote> {
    let subscription = await ensureSubscription(swap);
    let quoted = await processor.quoteTierSwap(subscription, swap);
    if (!quoted) {
      subscription = await createSubscription(swap, subscription);
      quoted = await processor.quoteTierSwap(subscription, swap);
    }
    if (!quoted) throw failures.processorUnavailable('the subscription that was just created is gone');
    return { subscriptionId: subscription.subscription_id, netMinor: quoted.net_minor };
  }

  return {
    /** Returns a page of a workspace's upgrades that are not billed yet, oldest first, with their events. */
    async listTierChanges(workspaceId: string): Promise<{ changeId: string; eventId: string }[]> {
      const rows = await findUnfinishedTierChanges(db.manager, workspaceId, PAGE);
      return rows.map(({ id, event_id }) => ({ changeId: id, eventId: event_id }));
    },

    /**
     * Asks the processor to prorate an upgrade for the rest of the month. A stored price is returned again.
     * Null if the account is unusable or the processor refuses.
     */
    async quoteTierChange(changeId: string): Promise<TierQuote> {
      const change = await existing(changeId);
      if (change.subscription_id)
        return { subscriptionId: change.subscription_id, netMinor: change.net_minor };
      const tiers = await findWorkspaceTiers(change.workspace_id);
      if (!tiers) return null;
      const { from_tier: from, to_tier: to, remaining_share } = change;
      try {
        return await quote({ ...tiers, from, to, remaining_share });
      } catch (error) {
        if (isAccountUnusable(error) || isRefused(error)) return null;
        throw error;
      }
    },

    /** Stores the price. Without one, the difference is added to the payer's next subscription invoice. */
    async recordTierQuote({ changeId, quote }: { changeId: string; quote: TierQuote }): Promise<void> {
      await transaction(db, async (tx) => {
        if (!quote) return chargeTierChangeLater(tx, changeId);
        const price = { subscription_id: quote.subscriptionId, net_minor: quote.netMinor };
        await setTierPrice(tx, changeId, price);
      });
    },

    /** Updates the workspace's subscription to match its members and prices. Idempotent. */
    async syncTierSubscription(workspaceId: string): Promise<void> {
      const tiers = await findWorkspaceTiers(workspaceId);
      const known = tiers && (await findTierSubscription(db.manager, workspaceId));
      if (!known || known.account_id !== tiers.account_id) return;
      try {
        await processor.syncTierSubscription(known, tiers);
      } catch (error) {
        if (!isAccountUnusable(error) && !isRefused(error)) throw error;
      }
    },

    /** Creates the upgrade's invoice, once. */
    async invoiceTierChange(changeId: string): Promise<void> {
      await transaction(db, (tx) => invoiceTierChange(tx, changeId));
    },
  };
}

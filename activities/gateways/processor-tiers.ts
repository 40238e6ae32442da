import type { Tier } from '../../domain/rates/price.js';

/** A workspace's tiers: the price of each per month, without tax, in minor units, and its active members. */
export interface WorkspaceTiers {
  account_id: string;
  workspace_id: string;
  currency: string;
  prices: Record<Tier, number>;
  members: Record<Tier, number>;
}

/** A member's move to a higher tier. `members` already includes it. */
export interface TierSwap extends WorkspaceTiers {
  from: Tier;
  to: Tier;
  /** The share of the payer's month that is left, above 0 and at most 1. */
  remaining_share: number;
}

/** The subscription that prorates a workspace's upgrades, and the product of its prices. */
export interface ProcessorSubscription {
  product_id: string;
  subscription_id: string;
}

/** The price of a move for the rest of the month, without tax, in minor units. */
export interface TierQuoted {
  net_minor: number;
}

/** The subscription with which the processor prorates moves to higher tiers. */
export interface TierCalls {
  /** Creates the subscription that prorates upgrades. Idempotent per generation. */
  createTierSubscription(tiers: WorkspaceTiers, generation: number): Promise<ProcessorSubscription>;
  /** Prorates a move to a higher tier on the workspace's subscription; null if it no longer exists. */
  quoteTierSwap(known: ProcessorSubscription, swap: TierSwap): Promise<TierQuoted | null>;
  /** Sets prices and quantities of all tiers on the subscription. Idempotent. */
  syncTierSubscription(known: ProcessorSubscription, tiers: WorkspaceTiers): Promise<void>;
}

import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ErasureKey, Kept, NotPersonal } from '../personal-data/declarations.js';
import type { Tier } from '../../domain/rates/price.js';

/** A line for the payer's next subscription invoice, such as the difference of an upgrade. */
@Entity('subscription_charges')
export class SubscriptionCharge {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('uuid', { nullable: true }) company_id!: string | null;
  @ErasureKey('members') @Column('text', { nullable: true }) member_id!: string | null;
  @Kept @Column('text') description!: string;
  @Kept @Column('bigint') net_minor!: number;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('text', { nullable: true }) invoice_id!: string | null;
}

/** Upgrades to bill, stored in the transaction that changes the tier. */
@Entity('tier_changes')
export class TierChange {
  @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @ErasureKey('members') @Column('text') member_id!: string;
  @Kept @Column('text') event_id!: string;
  @Kept @Column('text') from_tier!: Tier;
  @Kept @Column('text') to_tier!: Tier;
  /** The text of the invoice line, without personal data. */
  @Kept @Column('text') description!: string;
  /** Without tax; our own calculation until the processor has quoted the change. */
  @Kept @Column('bigint') net_minor!: number;
  /** The share of the payer's month that is left, including the day of the change; above 0, at most 1. */
  @Kept @Column('double precision', { default: 1 }) remaining_share!: number;
  /** priced: the processor has quoted the change, and its subscription must be updated. */
  @Kept @Column('text', { default: 'requested' }) state!: 'requested' | 'priced' | 'done';
  @Kept @Column('text', { nullable: true }) subscription_id!: string | null;
  @Kept @Column('text', { nullable: true }) invoice_id!: string | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  /** When the workflow that bills it was notified. */
  @Kept @Column('timestamptz', { nullable: true }) notified_at!: Date | null;
}

/** The subscription at the processor that prorates a workspace's tier upgrades, created by the service. */
@NotPersonal
@Entity('tier_subscriptions')
export class TierSubscription {
  @PrimaryColumn('text') workspace_id!: string;
  @Column('text') account_id!: string;
  @Column('char') currency!: string;
  /** Increases when the subscription must be created again; part of the idempotency keys. */
  @Column('integer') generation!: number;
  @Column('text') product_id!: string;
  @Column('text') subscription_id!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

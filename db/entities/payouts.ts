import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';

/** The payouts of connected accounts to their banks, as the processor last reported them. */
@NotPersonal
@Entity('payouts')
export class Payout {
  /** The processor's id. */
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') account_id!: string;
  @Column('text') status!: 'pending' | 'in_transit' | 'paid' | 'failed' | 'canceled';
  /** False for one that somebody requested: the processor does not say what is in it. */
  @Column('boolean') automatic!: boolean;
  /** The processor knows everything that is in it. */
  @Column('boolean') reconciled!: boolean;
  @Column('char') currency!: string;
  /** What the bank receives; below zero if it is debited. */
  @Column('bigint') amount_minor!: number;
  @Column('date') arrives_on!: string;
  /** The processor's code. */
  @Column('text', { nullable: true }) failure_code!: string | null;
  @Column('timestamptz') created_at!: Date;
  /** When its entries were read; null until then. */
  @Column('timestamptz', { nullable: true }) entries_read_at!: Date | null;
}

/** What is in a payout, by the processor's balance transaction. Rows never change. */
@NotPersonal
@Entity('payout_entries')
export class PayoutEntry {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') payout_id!: string;
  @Column('text') kind!: 'payment' | 'refund' | 'dispute' | 'fee' | 'other';
  /** What moved: above zero to the account. In the currency of the payout. */
  @Column('bigint') gross_minor!: number;
  @Column('bigint') fee_minor!: number;
  @Column('bigint') net_minor!: number;
  /** The payment that it is, or that it is about. */
  @Column('text', { nullable: true }) payment_intent_id!: string | null;
  @Column('text', { nullable: true }) refund_id!: string | null;
  @Column('timestamptz') created_at!: Date;
}

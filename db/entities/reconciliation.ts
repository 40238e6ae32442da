import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { ReconciliationReport } from '../../domain/reconciliation/differences.js';

/** Comparisons of the processor, the ledger and the accounting system. */
@NotPersonal
@Entity('reconciliations')
export class Reconciliation {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  /** [from_at, to_at): when the invoices were created, or their money moved. */
  @Column('timestamptz') from_at!: Date;
  @Column('timestamptz') to_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  /** Null until the run has finished. */
  @Column('jsonb', { nullable: true }) report!: ReconciliationReport | null;
}

/** The processor's charges, for the duration of a reconciliation. */
@NotPersonal
@Entity('reconciliation_charges')
export class ReconciliationCharge {
  @PrimaryColumn('text') reconciliation_id!: string;
  @PrimaryColumn('text') charge_id!: string;
  @Column('text', { nullable: true }) payment_intent_id!: string | null;
  /** The booking or checkout in the charge's metadata; null if the service did not create the payment. */
  @Column('text', { nullable: true }) owner_id!: string | null;
  @Column('bigint') amount_minor!: number;
  @Column('bigint') refunded_minor!: number;
  @Column('char') currency!: string;
  @Column('timestamptz') created_at!: Date;
}

/** The processor's disputes, for the duration of a reconciliation. */
@NotPersonal
@Entity('reconciliation_disputes')
export class ReconciliationDispute {
  @PrimaryColumn('text') reconciliation_id!: string;
  @PrimaryColumn('text') dispute_id!: string;
  @Column('text') payment_intent_id!: string;
  @Column('bigint') withdrawn_minor!: number;
}

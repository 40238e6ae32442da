import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ConfirmationSource, PaymentStatus } from '../../domain/states.js';

/** Why money was sent back instead of confirming a booking: the 409 that `verify_payment` gives for it, ever again. */
export interface PaymentRefusal {
  code: 'slot_already_paid' | 'payment_too_late';
  /** Null where an invoice was to be paid. */
  booking_id: string | null;
  conflicting_booking_id: string | null;
  refund_id: string;
}

@Entity('payments')
export class Payment {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'text', nullable: true }) invoice_id!: string | null;
  @Column({ type: 'text', nullable: true }) booking_id!: string | null;
  @Column({ type: 'text' }) kind!: 'charge' | 'top_up' | 'manual' | 'refund';
  @Column({ type: 'text' }) status!: PaymentStatus;
  @Column({ type: 'bigint' }) amount_minor!: number;
  @Column({ type: 'bigint' }) refunded_minor!: number;
  /** How much of it was more than was due, and went back at once. */
  @Column({ type: 'bigint' }) excess_minor!: number;
  @Column({ type: 'char', length: 3 }) currency!: string;
  @Column({ type: 'text' }) method!: string;
  @Column({ type: 'text', nullable: true }) account_id!: string | null;
  @Column({ type: 'text', nullable: true }) processor_payment_intent_id!: string | null;
  @Column({ type: 'text', nullable: true }) processor_refund_id!: string | null;
  @Column({ type: 'text', nullable: true }) refund_of!: string | null;
  @Column({ type: 'text', nullable: true }) adjustment_id!: string | null;
  @Column({ type: 'text', nullable: true }) reference!: string | null;
  /** Of a refund: whether its payer gets mail. */
  @Column({ type: 'boolean' }) notify_payer!: boolean;
  @Column({ type: 'text', nullable: true }) reason!: string | null;
  @Column({ type: 'text', nullable: true }) source!: ConfirmationSource | null;
  @Column({ type: 'jsonb', nullable: true }) refusal!: PaymentRefusal | null;
  @Column({ type: 'timestamptz', nullable: true }) paid_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) settled_at!: Date | null;
  @Column({ type: 'timestamptz' }) created_at!: Date;
  @Column({ type: 'timestamptz' }) updated_at!: Date;
}

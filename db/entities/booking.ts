import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { BookingStatus, ConfirmationSource } from '../../domain/states.js';

/** `occupies` and `live_room_id`, which tie a live booking to its slot claim, are the database's own business. */
@Entity('bookings')
export class Booking {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'uuid' }) room_id!: string;
  @Column({ type: 'text' }) status!: BookingStatus;
  @Column({ type: 'timestamptz' }) start_at!: Date;
  @Column({ type: 'timestamptz' }) end_at!: Date;
  @Column({ type: 'text', nullable: true }) member_id!: string | null;
  @Column({ type: 'text', nullable: true }) guest_email!: string | null;
  @Column({ type: 'text', nullable: true }) guest_name!: string | null;
  @Column({ type: 'uuid', nullable: true }) company_id!: string | null;
  @Column({ type: 'text', nullable: true }) notes!: string | null;
  @Column({ type: 'integer' }) attendees!: number;
  @Column({ type: 'char', length: 3 }) currency!: string;
  @Column({ type: 'bigint' }) net_minor!: number;
  @Column({ type: 'bigint' }) tax_minor!: number;
  @Column({ type: 'bigint' }) price_minor!: number;
  @Column({ type: 'text' }) tax_code!: string;
  @Column({ type: 'integer' }) tax_rate_bps!: number;
  @Column({ type: 'integer' }) price_per_hour_minor!: number;
  @Column({ type: 'numeric' }) discount_percent!: string;
  /** Hours that were paid with the member's tokens. */
  @Column({ type: 'integer' }) hour_credits_used!: number;
  @Column({ type: 'integer' }) hold_seconds!: number;
  /** Null until the checkout exists: till then nobody sees the booking but the constraint. */
  @Column({ type: 'timestamptz', nullable: true }) published_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) expires_at!: Date | null;
  @Column({ type: 'text', nullable: true }) checkout_url!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) confirmed_at!: Date | null;
  @Column({ type: 'text', nullable: true }) confirmation_source!: ConfirmationSource | null;
  @Column({ type: 'text', nullable: true }) processor_payment_intent_id!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) cancelled_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) completed_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) expired_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) no_show_at!: Date | null;
  @Column({ type: 'text', nullable: true }) invoice_id!: string | null;
  @Column({ type: 'integer' }) sequence!: number;
  @Column({ type: 'timestamptz' }) created_at!: Date;
  @Column({ type: 'timestamptz' }) updated_at!: Date;
}

/**
 * `opening` the processor may be asked; `open` it can be paid; `abandoned` its create failed, so whatever session
 * exists must be closed; `processing` the payer is done, the money is on its way; `paid` and `closed` are final.
 */
export type CheckoutState = 'opening' | 'open' | 'abandoned' | 'processing' | 'paid' | 'closed';

@Entity('checkouts')
export class Checkout {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'text', nullable: true }) booking_id!: string | null;
  @Column({ type: 'text', nullable: true }) invoice_id!: string | null;
  /** The booking, or where it pays an invoice the checkout itself: the id of the run that waits for it. */
  @Column({ type: 'text', insert: false, update: false }) owner_id!: string;
  @Column({ type: 'text' }) account_id!: string;
  @Column({ type: 'char', length: 3 }) currency!: string;
  @Column({ type: 'bigint' }) amount_minor!: number;
  @Column({ type: 'text' }) description!: string;
  @Column({ type: 'text', nullable: true }) url!: string | null;
  @Column({ type: 'text', nullable: true }) session_id!: string | null;
  @Column({ type: 'timestamptz' }) session_expires_at!: Date;
  @Column({ type: 'text' }) state!: CheckoutState;
  @Column({ type: 'timestamptz' }) created_at!: Date;
}

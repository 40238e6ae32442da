import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { Metadata } from '../../domain/metadata.js';
import type { RefundStep } from '../../domain/bookings/refund-policy.js';

/** What can be booked with rooms (docs/rules/extras.md). */
@NotPersonal
@Entity('extras')
export class Extra {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') name!: string;
  @Column('text') unit!: 'booking' | 'hour' | 'attendee' | 'piece';
  @Column('char') currency!: string;
  /** For one unit, without tax. */
  @Column('integer') price_minor!: number;
  @Column('text') tax_code!: string;
  /** The rooms that it can be booked with; null for all. */
  @Column('uuid', { array: true, nullable: true }) room_ids!: string[] | null;
  /** How many there are at a time; null for any number. */
  @Column('integer', { nullable: true }) stock!: number | null;
  @Column('integer', { default: 0 }) cutoff_hours!: number;
  /** Null for those of the room. */
  @Column('jsonb', { nullable: true }) refund_steps!: RefundStep[] | null;
  /** Only staff book it. */
  @Column('boolean', { default: false }) internal!: boolean;
  @Column('boolean', { default: false }) archived!: boolean;
  @Column('text', { nullable: true }) accounting_account!: string | null;
  @Column('jsonb', { default: {} }) metadata!: Metadata;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/**
 * What live bookings take of extras. A booking that waits for the payment of a change has its claims and
 * those of the change; at a time it takes the most of them.
 */
@NotPersonal
@Entity('extra_claims')
export class ExtraClaim {
  @PrimaryColumn('text') booking_id!: string;
  @PrimaryColumn('uuid') extra_id!: string;
  @PrimaryColumn('tstzrange') during!: string;
  @PrimaryColumn('integer') quantity!: number;
}

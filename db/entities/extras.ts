import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { Metadata } from '../../domain/metadata.js';
import type { RefundStep } from '../../domain/bookings/refund-policy.js';

/** What can be booked together with rooms (docs/rules/extras.md). */
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
  /** The rooms with which it can be booked; null for all. */
  @Column('uuid', { array: true, nullable: true }) room_ids!: string[] | null;
  /** How many are available at a time; null if unlimited. */
  @Column('integer', { nullable: true }) stock!: number | null;
  @Column('integer', { default: 0 }) cutoff_hours!: number;
  /** Null if the room's steps apply. */
  @Column('jsonb', { nullable: true }) refund_steps!: RefundStep[] | null;
  /** Only staff can book it. */
  @Column('boolean', { default: false }) internal!: boolean;
  @Column('boolean', { default: false }) archived!: boolean;
  @Column('text', { nullable: true }) accounting_account!: string | null;
  @Column('jsonb', { default: {} }) metadata!: Metadata;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/**
 * The extras that live bookings use. A booking that waits for the payment of a change has its own claims and
 * those of the change; at any time it uses the higher of them.
 */
@NotPersonal
@Entity('extra_claims')
export class ExtraClaim {
  @PrimaryColumn('text') booking_id!: string;
  @PrimaryColumn('uuid') extra_id!: string;
  @PrimaryColumn('tstzrange') during!: string;
  @PrimaryColumn('integer') quantity!: number;
}

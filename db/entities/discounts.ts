import { Column, Entity, PrimaryColumn } from 'typeorm';
import { NotPersonal } from '../personal-data/declarations.js';
import type { RateAudience } from '../../domain/rates/rates.js';

/** A discount code (docs/rules/discounts.md). */
@NotPersonal
@Entity('discounts')
export class Discount {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') workspace_id!: string;
  /** In upper case; people can enter it in any case. */
  @Column('text') code!: string;
  @Column('numeric', { nullable: true }) percent!: string | null;
  /** Without tax. */
  @Column('integer', { nullable: true }) amount_minor!: number | null;
  @Column('char', { nullable: true }) currency!: string | null;
  /** The rooms whose bookings it applies to; null for all. */
  @Column('uuid', { array: true, nullable: true }) room_ids!: string[] | null;
  @Column('jsonb') audience!: RateAudience;
  @Column('timestamptz', { nullable: true }) valid_from!: Date | null;
  @Column('timestamptz', { nullable: true }) valid_until!: Date | null;
  @Column('integer', { nullable: true }) max_uses!: number | null;
  @Column('integer', { nullable: true }) max_uses_per_payer!: number | null;
  @Column('boolean', { default: false }) archived!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/** The use of a code by a booking. Deleted when the booking ends unpaid; kept when it is refunded. */
@NotPersonal
@Entity('discount_redemptions')
export class DiscountRedemption {
  @PrimaryColumn('text') booking_id!: string;
  @Column('uuid') discount_id!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

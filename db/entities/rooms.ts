import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Tier } from '../../domain/price.js';
import type { RefundStep } from '../../domain/refund-policy.js';
import type { OpeningHours } from '../../domain/slots.js';

@Entity('rooms')
export class Room {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  @Column('text') time_zone!: string;
  @Column('integer') slot_minutes!: number;
  @Column('integer', { nullable: true }) min_minutes!: number | null;
  @Column('integer', { nullable: true }) max_minutes!: number | null;
  @Column('integer', { nullable: true }) capacity!: number | null;
  @Column('jsonb', { nullable: true }) opening_hours!: OpeningHours | null;
  @Column('integer', { default: 0 }) turnaround_minutes!: number;
  @Column('integer', { default: 60 }) edit_window_minutes!: number;
  @Column('char') currency!: string;
  @Column('integer') price_per_hour_minor!: number;
  @Column('text') tax_code!: string;
  /** The tiers that can book the room; null for all. */
  @Column('text', { array: true, nullable: true }) tiers!: Tier[] | null;
  @Column('jsonb') tier_discounts!: Partial<Record<Tier, number>>;
  @Column('jsonb') refund_steps!: RefundStep[];
  @Column('boolean', { default: true }) self_service!: boolean;
  @Column('boolean', { default: false }) archived!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

@Entity('blackouts')
export class Blackout {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('uuid') room_id!: string;
  @Column('tstzrange') during!: string;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

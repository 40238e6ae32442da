import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Tier } from '../../domain/price.js';
import type { OpeningHours } from '../../domain/slots.js';

@Entity('rooms')
export class Room {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text', nullable: true }) description!: string | null;
  @Column({ type: 'text' }) time_zone!: string;
  @Column({ type: 'integer' }) slot_minutes!: number;
  @Column({ type: 'integer', nullable: true }) min_minutes!: number | null;
  @Column({ type: 'integer', nullable: true }) max_minutes!: number | null;
  @Column({ type: 'integer', nullable: true }) capacity!: number | null;
  @Column({ type: 'jsonb', nullable: true }) opening_hours!: OpeningHours | null;
  @Column({ type: 'integer' }) turnaround_minutes!: number;
  @Column({ type: 'integer' }) edit_window_minutes!: number;
  @Column({ type: 'char', length: 3 }) currency!: string;
  @Column({ type: 'integer' }) price_per_hour_minor!: number;
  @Column({ type: 'text' }) tax_code!: string;
  @Column({ type: 'text', array: true, nullable: true }) tiers!: Tier[] | null;
  @Column({ type: 'jsonb' }) tier_discounts!: Partial<Record<Tier, number>>;
  @Column({ type: 'jsonb' }) refund_steps!: { hours_before: number; percent: number }[];
  @Column({ type: 'boolean' }) archived!: boolean;
  @Column({ type: 'timestamptz' }) created_at!: Date;
  @Column({ type: 'timestamptz' }) updated_at!: Date;
}

/** A time in which a room can't be booked. Its range, `during`, is read and written in SQL. */
@Entity('blackouts')
export class Blackout {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'uuid' }) room_id!: string;
  @Column({ type: 'text', nullable: true }) reason!: string | null;
  @Column({ type: 'timestamptz' }) created_at!: Date;
}

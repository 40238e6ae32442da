import { Column, Entity, PrimaryColumn } from 'typeorm';
import { Erased, ErasureKey, Kept, NotPersonal } from '../personal-data/declarations.js';
import type { BookingPlan, PlanProblem } from '../../domain/blackouts/plan.js';
import type { Tier } from '../../domain/rates/price.js';
import type { RoomRate } from '../../domain/rates/rates.js';
import type { Metadata } from '../../domain/metadata.js';
import type { RefundStep } from '../../domain/bookings/refund-policy.js';
import type { OpeningHours } from '../../domain/bookings/slots.js';

@NotPersonal
@Entity('rooms')
export class Room {
  @PrimaryColumn('uuid') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') name!: string;
  @Column('text', { nullable: true }) description!: string | null;
  /** Shown to everyone before they book. */
  @Column('text', { array: true, default: () => `'{}'` }) image_urls!: string[];
  @Column('text', { array: true, default: () => `'{}'` }) features!: string[];
  @Column('text', { nullable: true }) floor!: string | null;
  @Column('integer', { nullable: true }) size_m2!: number | null;
  /** Shown to bookers once their booking is confirmed. */
  @Column('text', { nullable: true }) address!: string | null;
  @Column('text', { nullable: true }) directions!: string | null;
  @Column('text', { nullable: true }) access_notes!: string | null;
  /** How long before the start of a booking its booker is reminded; null for no reminder. */
  @Column('integer', { nullable: true }) reminder_hours!: number | null;
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
  /** The current rates; earlier versions are in room_rates. */
  @Column('jsonb', { default: () => `'[]'` }) rates!: RoomRate[];
  @Column('integer', { default: 0 }) rate_version!: number;
  /** The rooms of which it consists, which may also have parts. */
  @Column('uuid', { array: true, default: [] }) parts!: string[];
  @Column('boolean', { default: true }) self_service!: boolean;
  @Column('boolean', { default: false }) archived!: boolean;
  @Column('jsonb', { default: {} }) metadata!: Metadata;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/** A version of a room's rates, from when it was set. Bookings keep the version that priced them. */
@NotPersonal
@Entity('room_rates')
export class RoomRates {
  @PrimaryColumn('uuid') room_id!: string;
  @PrimaryColumn('integer') version!: number;
  @Column('text') workspace_id!: string;
  @Column('jsonb') rates!: RoomRate[];
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * A leaf of a room: a room without parts of which the room consists, or the room itself if it is only a part.
 * Derived from the `parts` of all rooms.
 */
@NotPersonal
@Entity('room_leaves')
export class RoomLeaf {
  @PrimaryColumn('uuid') room_id!: string;
  @PrimaryColumn('uuid') leaf_id!: string;
}

@NotPersonal
@Entity('blackouts')
export class Blackout {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('uuid') room_id!: string;
  @Column('tstzrange') during!: string;
  @Column('text', { nullable: true }) reason!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** The plan for a booking in the way of a blackout. */
@Entity('blackout_bookings')
export class BlackoutBooking {
  @PrimaryColumn('text') blackout_id!: string;
  @ErasureKey('bookings') @PrimaryColumn('text') booking_id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('jsonb') plan!: BookingPlan;
  /** For the payer, included in the mail about it. */
  @Erased @Column('text', { nullable: true }) note!: string | null;
  /** `planned` until it was carried out. A `failed` plan can be retried or replaced. */
  @Kept @Column('text', { default: 'planned' }) state!: 'planned' | 'done' | 'failed';
  /** Why the last attempt failed. */
  @Kept @Column('jsonb', { nullable: true }) problem!: PlanProblem | null;
  /** When the mail with the note was enqueued. */
  @Kept @Column('timestamptz', { nullable: true }) told_at!: Date | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

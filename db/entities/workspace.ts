import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { TaxCode } from '../../domain/price.js';
import type { ProcessorStatus } from '../../domain/states.js';
import type { TierPrices } from '../../domain/tiers.js';

@Entity('workspaces')
export class Workspace {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) time_zone!: string;
  @Column({ type: 'char', length: 3 }) currency!: string;
  @Column({ type: 'integer' }) checkout_hold_seconds!: number;
  @Column({ type: 'text', nullable: true }) processor_account_id!: string | null;
  @Column({ type: 'text' }) processor_status!: ProcessorStatus;
  @Column({ type: 'timestamptz', nullable: true }) processor_status_at!: Date | null;
  @Column({ type: 'jsonb' }) tax_codes!: TaxCode[];
  /** A month of each tier, without tax, in minor units of the currency. */
  @Column({ type: 'jsonb' }) tier_prices!: TierPrices;
  /** Who bills, as it is printed on invoices. */
  @Column({ type: 'text', nullable: true }) invoice_details!: string | null;
  @Column({ type: 'text', nullable: true }) return_url!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) maintenance_starts_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) maintenance_ends_at!: Date | null;
  @Column({ type: 'timestamptz' }) created_at!: Date;
  @Column({ type: 'timestamptz' }) updated_at!: Date;
}

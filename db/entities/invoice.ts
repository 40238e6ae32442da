import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { InvoiceStatus } from '../../domain/states.js';

@Entity('invoices')
export class Invoice {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'integer' }) number!: number;
  @Column({ type: 'text' }) status!: InvoiceStatus;
  @Column({ type: 'char', length: 3 }) currency!: string;
  @Column({ type: 'bigint' }) net_minor!: number;
  @Column({ type: 'bigint' }) tax_minor!: number;
  @Column({ type: 'bigint' }) total_minor!: number;
  @Column({ type: 'timestamptz' }) due_at!: Date;
  @Column({ type: 'uuid', nullable: true }) company_id!: string | null;
  @Column({ type: 'text', nullable: true }) member_id!: string | null;
  @Column({ type: 'text', nullable: true }) booking_id!: string | null;
  @Column({ type: 'text', nullable: true }) accounting_id!: string | null;
  @Column({ type: 'text' }) accounting_reference!: string;
  @Column({ type: 'timestamptz' }) created_at!: Date;
  @Column({ type: 'timestamptz', nullable: true }) paid_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) voided_at!: Date | null;
}

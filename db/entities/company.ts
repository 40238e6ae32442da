import { Column, Entity, PrimaryColumn } from 'typeorm';

@Entity('companies')
export class Company {
  @PrimaryColumn({ type: 'uuid' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'text', nullable: true }) billing_email!: string | null;
  /** The day on which it first had an active member: its months begin on it. */
  @Column({ type: 'date', nullable: true }) billing_anchor!: string | null;
  @Column({ type: 'timestamptz' }) created_at!: Date;
}

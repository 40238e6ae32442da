import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../domain/policies.js';
import type { Tier } from '../../domain/price.js';
import type { MemberStatus } from '../../domain/states.js';

/** A person, once per mail address across all workspaces. */
@Entity('profiles')
export class Profile {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) email!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'timestamptz' }) created_at!: Date;
}

/** A person's membership of one workspace. */
@Entity('members')
export class Member {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  /** Null of a member who was erased. */
  @Column({ type: 'text', nullable: true }) profile_id!: string | null;
  @Column({ type: 'uuid', nullable: true }) company_id!: string | null;
  @Column({ type: 'text' }) role!: Role;
  @Column({ type: 'text' }) tier!: Tier;
  @Column({ type: 'text' }) status!: MemberStatus;
  /** Hours the member may still book with tokens. */
  @Column({ type: 'integer' }) hour_credit_balance!: number;
  @Column({ type: 'timestamptz', nullable: true }) joined_at!: Date | null;
  /** The first day on which a member without a company was active: its months begin on it. */
  @Column({ type: 'date', nullable: true }) billing_anchor!: string | null;
  /** The day from which the next tokens are due. */
  @Column({ type: 'date', nullable: true }) cycle_starts_on!: string | null;
  @Column({ type: 'timestamptz', nullable: true }) trial_ends_at!: Date | null;
  @Column({ type: 'text', nullable: true }) pending_tier!: Tier | null;
  @Column({ type: 'timestamptz', nullable: true }) pending_tier_at!: Date | null;
  @Column({ type: 'timestamptz', nullable: true }) archived_at!: Date | null;
  @Column({ type: 'timestamptz' }) created_at!: Date;
  @Column({ type: 'timestamptz' }) updated_at!: Date;
}

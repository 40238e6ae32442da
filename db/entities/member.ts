import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role } from '../../domain/policies.js';
import type { Tier } from '../../domain/price.js';

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
  @Column({ type: 'text' }) profile_id!: string;
  @Column({ type: 'uuid', nullable: true }) company_id!: string | null;
  @Column({ type: 'text' }) role!: Role;
  @Column({ type: 'text' }) tier!: Tier;
  @Column({ type: 'text' }) status!: string;
  /** Hours the member may still book with tokens. */
  @Column({ type: 'integer' }) token_balance!: number;
  @Column({ type: 'timestamptz', nullable: true }) joined_at!: Date | null;
  @Column({ type: 'timestamptz' }) created_at!: Date;
}

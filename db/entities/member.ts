import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { Role, ScopeAction, ScopeResource } from '../../domain/policies.js';
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

/** A bearer token of a member: its hash, never itself. */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn({ type: 'text' }) id!: string;
  @Column({ type: 'text' }) workspace_id!: string;
  @Column({ type: 'text' }) member_id!: string;
  @Column({ type: 'text' }) name!: string;
  @Column({ type: 'bytea' }) token_hash!: Buffer;
  @Column({ type: 'text' }) fingerprint!: string;
  @Column({ type: 'text' }) key_prefix!: string;
  @Column({ type: 'text', array: true }) resources!: ScopeResource[];
  @Column({ type: 'text', array: true }) actions!: ScopeAction[];
  @Column({ type: 'timestamptz' }) created_at!: Date;
  @Column({ type: 'timestamptz' }) expires_at!: Date;
  @Column({ type: 'timestamptz', nullable: true }) revoked_at!: Date | null;
}

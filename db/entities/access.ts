import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { KeyResource, ScopeAction } from '../../domain/policies.js';

@Entity('oauth_clients')
export class OAuthClient {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) redirect_uris!: string[];
  /** Null for a public client. */
  @Column('bytea', { nullable: true }) secret_hash!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * API keys and OAuth grants, so that the API has one kind of credential. For a grant, `resources` holds complete scopes
 * and `actions` is empty; a refresh that requests fewer scopes gets its own row. A revoked grant keeps its row, so that
 * no further token can be issued for it.
 */
@Entity('api_keys')
export class ApiKey {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') member_id!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) resources!: KeyResource[];
  @Column('text', { array: true }) actions!: ScopeAction[];
  @Column('cidr', { array: true, default: [] }) ip_allowlist!: string[];
  @Column('text', { nullable: true }) oauth_client_id!: string | null;
  @Column('text', { nullable: true }) oauth_grant_id!: string | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz') expires_at!: Date;
  @Column('timestamptz', { nullable: true }) revoked_at!: Date | null;
}

/** Tokens are separate from keys, since a key has two while it rotates. */
@Entity('api_tokens')
export class ApiToken {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea') hash!: Buffer;
  @Column('text') workspace_id!: string;
  @Column('text') key_id!: string;
  @Column('text') fingerprint!: string;
  @Column('text') prefix!: string;
  @Column('text', { nullable: true }) rotation_id!: string | null;
  /** The hash of the token that a rotation replaced with this one. */
  @Column('bytea', { nullable: true }) replaces!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  /** Null for the current token of a key; for the previous one, the end of its grace period. */
  @Column('timestamptz', { nullable: true }) ends_at!: Date | null;
  @Column('timestamptz', { nullable: true }) last_used_at!: Date | null;
  /** Members other than the key's own who created the token, directly or with a key that others issued. */
  @Column('text', { array: true, default: [] }) issuer_ids!: string[];
  /** The role that the issuers had when the token was created. */
  @Column('text', { nullable: true }) issuer_role!: 'member' | 'billing_contact' | 'admin' | 'owner' | null;
  /** The OAuth grant whose application created the token, directly or with a key that it created. */
  @Column('text', { nullable: true }) granted_by!: string | null;
}

/**
 * Token buckets, one for each key, workspace and address that has sent requests. Unlogged: every request writes,
 * without WAL or a flush; after a database crash all buckets are full. The fillfactor leaves room for HOT updates,
 * which touch no index.
 */
@Entity('rate_limit_buckets')
export class RateLimitBucket {
  @PrimaryColumn('text') id!: string;
  @Column('double precision') tokens!: number;
  /** Of a workspace: the tokens of the bucket for all its keys and routes; tokens are those of its calendar. */
  @Column('double precision', { default: 'Infinity' }) total_tokens!: number;
  @Column('timestamptz') refilled_at!: Date;
  /** For each 429 the period in which another request is a violation: from 250 ms on until its Retry-After. */
  @Column('tstzrange', { array: true, default: [] }) retry_after_windows!: string[];
  /** The last violation; a second one within 10 minutes throttles. */
  @Column('timestamptz', { nullable: true }) violated_at!: Date | null;
  @Column('timestamptz', { nullable: true }) throttled_until!: Date | null;
}

/**
 * Authorization codes, refresh tokens, grants and authorizations in progress, by the digest of the value that the
 * client or browser holds.
 */
@Entity('oauth_artifacts')
export class OAuthArtifact {
  @PrimaryColumn('text') model!: string;
  @PrimaryColumn('bytea') id_hash!: Buffer;
  @Column('text', { nullable: true }) client_id!: string | null;
  @Column('text', { nullable: true }) grant_id!: string | null;
  @Column('jsonb') payload!: Record<string, unknown>;
  @Column('timestamptz', { nullable: true }) consumed_at!: Date | null;
  @Column('timestamptz') expires_at!: Date;
}

/** One row per requested link, even for an address without a profile, so that both take the same time and count alike. */
@Entity('sign_in_links')
export class SignInLink {
  @PrimaryColumn('text') id!: string;
  @Column('text') email!: string;
  @Column('text', { nullable: true }) profile_id!: string | null;
  @Column('bytea') token_hash!: Buffer;
  /** For the link in the mail; null once the mail was sent. */
  @Column('bytea', { nullable: true }) encrypted_token!: Buffer | null;
  @Column('text') return_to!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz') expires_at!: Date;
  @Column('timestamptz', { nullable: true }) used_at!: Date | null;
}

@Entity('sessions')
export class Session {
  @PrimaryColumn('bytea') id_hash!: Buffer;
  @Column('text') profile_id!: string;
  /** When a code was last entered. */
  @Column('timestamptz', { nullable: true }) second_factor_at!: Date | null;
  /** The secret of an authenticator that is being set up in this session, encrypted. */
  @Column('bytea', { nullable: true }) pending_secret!: Buffer | null;
  @Column('timestamptz', { nullable: true }) pending_secret_at!: Date | null;
  /** The path that was requested before the person had to sign in. */
  @Column('text') return_to!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) last_seen_at!: Date;
  @Column('timestamptz') expires_at!: Date;
}

@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn('text') profile_id!: string;
  @Column('bytea', { nullable: true }) secret!: Buffer | null;
  /** The time step of the last accepted code: a code works once. */
  @Column('bigint', { default: 0 }) last_step!: number;
  @Column('integer', { default: 0 }) failures!: number;
  @Column('timestamptz', { nullable: true }) failing_since!: Date | null;
  @Column('timestamptz', { nullable: true }) confirmed_at!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn('text') profile_id!: string;
  @PrimaryColumn('bytea') code_hash!: Buffer;
  @Column('timestamptz', { nullable: true }) used_at!: Date | null;
}

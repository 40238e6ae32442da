import { Column, Entity, PrimaryColumn } from 'typeorm';
import { DeletedWithPerson, ErasureKey, Kept, NotPersonal, Replaced } from '../personal-data/declarations.js';
import type { KeyKind } from '../../domain/api-keys/key-scope.js';
import type { KeyResource, ScopeAction } from '../../domain/policies.js';

/** The feed with which calendar programs read a member's bookings. */
@DeletedWithPerson
@Entity('feeds')
export class Feed {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') member_id!: string;
  /** The API key or grant that created it; null in the dashboard. */
  @Column('text', { nullable: true }) key_id!: string | null;
  /** SHA-256 of the token that created it; null in the dashboard. */
  @Column('bytea', { nullable: true }) token_hash!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** The feed with which a member's calendar program reads the bookings of a room. */
@DeletedWithPerson
@Entity('room_feeds')
export class RoomFeed {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') member_id!: string;
  @Column('uuid') room_id!: string;
  /** The API key or grant that created it; null in the dashboard. */
  @Column('text', { nullable: true }) key_id!: string | null;
  /** SHA-256 of the token that created it; null in the dashboard. */
  @Column('bytea', { nullable: true }) token_hash!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

@NotPersonal
@Entity('oauth_clients')
export class OAuthClient {
  @PrimaryColumn('text') id!: string;
  @Column('text') workspace_id!: string;
  @Column('text') name!: string;
  @Column('text', { array: true }) redirect_uris!: string[];
  /** The origins of its redirect URIs, without the port on the loopback interface. */
  @Column('text', { array: true, default: [] }) sites!: string[];
  /** Null for a public client. */
  @Column('bytea', { nullable: true }) secret_hash!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/**
 * API keys and OAuth grants, so that the API has only one kind of credential. For a grant, `resources`
 * contains complete scopes and `actions` is empty; a refresh that requests fewer scopes gets its own row. A
 * revoked grant keeps its row, so that no further token can be issued for it.
 */
@Entity('api_keys')
export class ApiKey {
  @ErasureKey('keys') @PrimaryColumn('text') id!: string;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('text') member_id!: string;
  @Replaced('Key of an erased member') @Column('text') name!: string;
  @Kept @Column('text', { array: true }) resources!: KeyResource[];
  @Kept @Column('text', { array: true }) actions!: ScopeAction[];
  @Kept @Column('cidr', { array: true, default: [] }) ip_allowlist!: string[];
  @Kept @Column('text', { default: 'secret' }) kind!: KeyKind;
  /** The token of a publishable key, which is not secret. */
  @Kept @Column('text', { nullable: true }) public_token!: string | null;
  /** The origins of the sites that may use a publishable key. */
  @Kept @Column('text', { array: true, default: [] }) origins!: string[];
  /** The rooms that can be booked with a publishable key; null for all that guests can book. */
  @Kept @Column('uuid', { array: true, nullable: true }) room_ids!: string[] | null;
  @Kept @Column('text', { nullable: true }) oauth_client_id!: string | null;
  @Kept @Column('text', { nullable: true }) oauth_grant_id!: string | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Kept @Column('timestamptz') expires_at!: Date;
  @Kept @Column('timestamptz', { nullable: true }) revoked_at!: Date | null;
}

/** Separate from keys, since a key has two tokens while it is being rotated. */
@Entity('api_tokens')
export class ApiToken {
  /** SHA-256 of the token. */
  @PrimaryColumn('bytea') hash!: Buffer;
  @Kept @Column('text') workspace_id!: string;
  @ErasureKey('keys') @Column('text') key_id!: string;
  @Kept @Column('text') fingerprint!: string;
  @Kept @Column('text') prefix!: string;
  @Kept @Column('text', { nullable: true }) rotation_id!: string | null;
  /** The hash of the token that this one replaced in a rotation. */
  @Kept @Column('bytea', { nullable: true }) replaces!: Buffer | null;
  @Kept @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  /** Null for the current token of a key; for the previous one, the end of its grace period. */
  @Kept @Column('timestamptz', { nullable: true }) ends_at!: Date | null;
  @Kept @Column('timestamptz', { nullable: true }) last_used_at!: Date | null;
  /** Members other than the key's own who created the token, directly or with a key that others issued. */
  @Kept @Column('text', { array: true, default: [] }) issuer_ids!: string[];
  /** The role that the issuers had when the token was created. */
  @Kept @Column('text', { nullable: true }) issuer_role!:
    | 'member'
    | 'front_desk'
    | 'billing_contact'
    | 'admin'
    | 'owner'
    | null;
  /** The OAuth grant whose application created the token, directly or with a key that it created. */
  @Kept @Column('text', { nullable: true }) granted_by!: string | null;
}

/**
 * Token buckets, one for each key, workspace and address that has sent requests. Unlogged: every request
 * writes, without WAL or a flush. After a database crash all buckets are full. The fillfactor leaves room for
 * HOT updates, which do not touch the index.
 */
@NotPersonal
@Entity('rate_limit_buckets')
export class RateLimitBucket {
  @PrimaryColumn('text') id!: string;
  @Column('double precision') tokens!: number;
  /**
   * For a workspace: the tokens of the bucket for all its keys and routes; `tokens` are those of its
   * calendar.
   */
  @Column('double precision', { default: 'Infinity' }) total_tokens!: number;
  @Column('timestamptz') refilled_at!: Date;
  /** For each 429, the period in which another request is a violation: from 250 ms until its Retry-After. */
  @Column('tstzrange', { array: true, default: [] }) retry_after_windows!: string[];
  /** The latest violation. A second one within 10 minutes throttles the caller. */
  @Column('timestamptz', { nullable: true }) violated_at!: Date | null;
  @Column('timestamptz', { nullable: true }) throttled_until!: Date | null;
}

/**
 * Authorization codes, refresh tokens, grants and authorizations in progress, by the digest of the value that
 * the client or browser has.
 */
@NotPersonal
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

/**
 * One row per requested link, even for an address without a profile, so that both take the same time and
 * count alike.
 */
@DeletedWithPerson
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

@DeletedWithPerson
@Entity('sessions')
export class Session {
  @PrimaryColumn('bytea') id_hash!: Buffer;
  /** Identifies the session on its person's account page. */
  @Column('text') handle!: string;
  /** Browser and system: Firefox on Windows. */
  @Column('text', { nullable: true }) device!: string | null;
  /** It was started with a passkey, so it does not prove a mailbox. */
  @Column('boolean', { default: false }) by_passkey!: boolean;
  @Column('text') profile_id!: string;
  /** The workspace whose provider the person signed in with. The session opens no other workspace. */
  @Column('text', { nullable: true }) workspace_id!: string | null;
  /** The provider's subject for the person. */
  @Column('text', { nullable: true }) provider_subject!: string | null;
  /** When the person last proved their identity at the provider, because a form required it. */
  @Column('timestamptz', { nullable: true }) provider_proof_at!: Date | null;
  /** When a code was last entered. */
  @Column('timestamptz', { nullable: true }) second_factor_at!: Date | null;
  /** The encrypted secret of an authenticator that is being set up in this session. */
  @Column('bytea', { nullable: true }) pending_secret!: Buffer | null;
  @Column('timestamptz', { nullable: true }) pending_secret_at!: Date | null;
  /** The path that was requested before the person had to sign in. */
  @Column('text') return_to!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) last_seen_at!: Date;
  @Column('timestamptz') expires_at!: Date;
}

@DeletedWithPerson
@Entity('second_factors')
export class SecondFactor {
  @PrimaryColumn('text') profile_id!: string;
  @Column('bytea', { nullable: true }) secret!: Buffer | null;
  /** The time step of the last accepted code: a code can be used only once. */
  @Column('bigint', { default: 0 }) last_step!: number;
  @Column('integer', { default: 0 }) failures!: number;
  @Column('timestamptz', { nullable: true }) failing_since!: Date | null;
  @Column('timestamptz', { nullable: true }) confirmed_at!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

@DeletedWithPerson
@Entity('recovery_codes')
export class RecoveryCode {
  @PrimaryColumn('text') profile_id!: string;
  @PrimaryColumn('bytea') code_hash!: Buffer;
  @Column('timestamptz', { nullable: true }) used_at!: Date | null;
}

@DeletedWithPerson
@Entity('passkeys')
export class Passkey {
  /** The id of the credential, in base64url. */
  @PrimaryColumn('text') id!: string;
  @Column('text') profile_id!: string;
  /** The person's name for it. */
  @Column('text') name!: string;
  /** In COSE. */
  @Column('bytea') public_key!: Buffer;
  /** The counter of the last signature; 0 for authenticators that do not count. */
  @Column('bigint') counter!: number;
  @Column('text', { array: true }) transports!: string[];
  /** It is synchronised to the person's other devices. */
  @Column('boolean') backed_up!: boolean;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { nullable: true }) last_used_at!: Date | null;
}

/** A value that a browser signs with a passkey, once, within five minutes. */
@NotPersonal
@Entity('passkey_challenges')
export class PasskeyChallenge {
  /** SHA-256 of the challenge. */
  @PrimaryColumn('bytea') digest!: Buffer;
  @Column('text') purpose!: 'sign_in' | 'proof' | 'register';
  /** The session for which it was created; null for a sign-in. */
  @Column('bytea', { nullable: true }) session_hash!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

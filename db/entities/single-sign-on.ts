import { Column, Entity, PrimaryColumn } from 'typeorm';
import { DeletedWithPerson, NotPersonal } from '../personal-data/declarations.js';
import type { Provision, SsoProvider } from '../../domain/single-sign-on/providers.js';

/**
 * The names of workspaces' sign-in pages, including former names, which no longer work
 * (docs/rules/single-sign-on.md#where-people-sign-in).
 */
@NotPersonal
@Entity('sign_in_names')
export class SignInName {
  @PrimaryColumn('text') name!: string;
  @Column('text') workspace_id!: string;
  /** Null for the current name of the workspace. */
  @Column('timestamptz', { nullable: true }) left_at!: Date | null;
}

/** The identity provider of a workspace, with settings that have passed a test. */
@NotPersonal
@Entity('sso_connections')
export class SsoConnection {
  @PrimaryColumn('text') workspace_id!: string;
  /** Shown on the button of the sign-in page. */
  @Column('text') name!: string;
  @Column('jsonb') provider!: SsoProvider;
  /** The encrypted secret for OpenID Connect; null for a client without one. */
  @Column('bytea', { nullable: true }) client_secret!: Buffer | null;
  @Column('boolean', { default: false }) enabled!: boolean;
  @Column('text', { default: 'none' }) required!: 'none' | 'staff' | 'everyone';
  @Column('boolean', { default: false }) trust_second_factor!: boolean;
  @Column('jsonb', { nullable: true }) provision!: Provision | null;
  @Column('timestamptz', { default: () => 'now()' }) tested_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/** Settings that replace those of a connection once they have passed a test. */
@NotPersonal
@Entity('sso_candidates')
export class SsoCandidate {
  @PrimaryColumn('text') workspace_id!: string;
  /** New with each edit, so that a test of earlier settings saves nothing. */
  @Column('text') id!: string;
  @Column('text') name!: string;
  @Column('jsonb') provider!: SsoProvider;
  @Column('bytea', { nullable: true }) client_secret!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** Our SAML key for a workspace: it decrypts assertions and signs requests. */
@NotPersonal
@Entity('sso_service_keys')
export class SsoServiceKey {
  @PrimaryColumn('text') workspace_id!: string;
  /** In PEM, encrypted. */
  @Column('bytea') key!: Buffer;
  @Column('text') certificate!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** Which member the provider's subject identifies, since that member's first sign-in. */
@DeletedWithPerson
@Entity('sso_subjects')
export class SsoSubject {
  @Column('text') workspace_id!: string;
  @PrimaryColumn('text') member_id!: string;
  @Column('text') subject!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}

/** A sign-in that a browser has begun at a provider. It ends once, in that browser, within 10 minutes. */
@NotPersonal
@Entity('sso_logins')
export class SsoLogin {
  @PrimaryColumn('text') id!: string;
  /** SHA-256 of the state that goes to the provider and back. */
  @Column('bytea') state_hash!: Buffer;
  /** SHA-256 of the browser's cookie. */
  @Column('bytea') browser_hash!: Buffer;
  @Column('text') workspace_id!: string;
  @Column('text') purpose!: 'sign_in' | 'proof' | 'test';
  /** The session that needs a proof or a test. */
  @Column('bytea', { nullable: true }) session_hash!: Buffer | null;
  /** The settings that are being tested. */
  @Column('text', { nullable: true }) candidate_id!: string | null;
  /** What the answer is checked against, encrypted. */
  @Column('bytea') secrets!: Buffer;
  @Column('text') return_to!: string;
  /**
   * What the provider's form has sent, encrypted, until the browser that began the sign-in shows its cookie.
   */
  @Column('bytea', { nullable: true }) answer!: Buffer | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { nullable: true }) used_at!: Date | null;
}

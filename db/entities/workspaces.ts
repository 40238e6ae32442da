import { DEFAULT_CSV_FORMAT, type CsvFormat } from '../../domain/csv-format.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { ErasureKey, Kept, NotPersonal, Redacted } from '../personal-data/declarations.js';
import { eraseAuditDetails } from '../../domain/members/erasure.js';
import { KEPT_COLUMNS } from '../personal-data/kept-columns.js';
import type { TaxCode } from '../../domain/rates/price.js';
import type { Plans } from '../../domain/members/plans.js';
import type { StaffNotices } from '../../domain/workspaces/staff-notices.js';
import type { SweptJob } from '../../domain/workspaces/swept-jobs.js';
import type { TierPrices } from '../../domain/members/tiers.js';
import type { Language } from '../../domain/words/languages.js';

@NotPersonal
@Entity('workspaces')
export class Workspace {
  @PrimaryColumn('text') id!: string;
  @Column('text') name!: string;
  @Column('text') time_zone!: string;
  @Column('char') currency!: string;
  @Column('integer', { default: 1800 }) checkout_hold_seconds!: number;
  @Column('text', { nullable: true }) processor_account_id!: string | null;
  @Column('text', { default: 'unconfigured' }) processor_status!:
    | 'unconfigured'
    | 'pending'
    | 'active'
    | 'revoked';
  /** When the processor will restrict the account unless its operator has submitted what it requires. */
  @Column('timestamptz', { nullable: true }) processor_due_by!: Date | null;
  /**
   * Why the processor has restricted the account, as its code; payouts_disabled if it gives no other reason.
   */
  @Column('text', { nullable: true }) processor_problem!: string | null;
  @Column('jsonb') tax_codes!: TaxCode[];
  /** The monthly price of each tier, without tax, in minor units of the currency. */
  @Column('jsonb', { default: { pro: 0, plus: 0, basic: 0, enterprise: 0 } }) tier_prices!: TierPrices;
  /** The name and monthly hours of each tier; missing or null values are defaults. */
  @Column('jsonb', { default: {} }) plans!: Plans;
  /** Whether people enter prices in the dashboard without tax or with it; stored ones are without tax. */
  @Column('text', { default: 'net' }) prices_entered!: 'net' | 'gross';
  /** Additional text on invoices. */
  @Column('text', { nullable: true }) invoice_details!: string | null;
  /** The prefix for the number of each invoice that is created from now on. */
  @Column('text', { default: 'HF' }) invoice_prefix!: string;
  /** The seller's legal name on invoices; null for the workspace's name. */
  @Column('text', { nullable: true }) legal_name!: string | null;
  @Column('text', { nullable: true }) legal_address!: string | null;
  @Column('text', { nullable: true }) tax_number!: string | null;
  /** The name of the tax on invoices. */
  @Column('text', { default: 'VAT' }) tax_name!: string;
  /** How an invoice can be paid other than by its link. */
  @Column('text', { nullable: true }) payment_instructions!: string | null;
  /** The maximum that front_desk may refund beyond a room's terms, in minor units of the currency. */
  @Column('bigint', { default: 0 }) desk_refund_limit_minor!: number;
  /** Payers with an overdue invoice cannot book on account. */
  @Column('boolean', { default: false }) refuse_overdue_payers!: boolean;
  /** For every member; owners and admins need one in any case. */
  @Column('boolean', { default: false }) require_second_factor!: boolean;
  @Column('text', { nullable: true }) return_url!: string | null;
  @Column('text', { nullable: true }) booking_url!: string | null;
  @Column('text', { nullable: true }) contact_email!: string | null;
  @Column('jsonb', { default: DEFAULT_CSV_FORMAT }) csv!: CsvFormat;
  /** Which mail about bookings staff get, as in `StaffNotices`. */
  @Column('jsonb', { default: {} }) notify_staff!: StaffNotices;
  /** When the outbox relay enqueues the next daily mail; null for none. */
  @Column('timestamptz', { nullable: true }) digest_at!: Date | null;
  /** The position of the last event that a daily mail has reported. */
  @Column('bigint', { default: 0 }) digest_position!: number;
  /** The default language of payers. */
  @Column('text', { default: 'en' }) locale!: Language;
  @Column('text', { nullable: true }) logo_url!: string | null;
  /** The colour of buttons and headings in mail and on pages of payers, as #rrggbb. */
  @Column('text', { nullable: true }) accent_color!: string | null;
  @Column('timestamptz', { nullable: true }) maintenance_starts_at!: Date | null;
  @Column('timestamptz', { nullable: true }) maintenance_ends_at!: Date | null;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
  @Column('timestamptz', { default: () => 'now()' }) updated_at!: Date;
}

/** How many objects of a kind a workspace has created. */
@NotPersonal
@Entity('used_quotas')
export class UsedQuota {
  @PrimaryColumn('text') workspace_id!: string;
  @PrimaryColumn('text') kind!: 'rooms' | 'companies' | 'members';
  @Column('integer') used!: number;
}

/** Configuration changes, stored in the transaction that makes them. */
@Entity('audit_log')
export class AuditEntry {
  @PrimaryColumn({ type: 'bigint', insert: false, update: false }) id!: number;
  @Kept @Column('text') workspace_id!: string;
  @Kept @Column('timestamptz', { default: () => 'now()' }) at!: Date;
  @Kept @Column('text') action!: string;
  @Kept @Column('jsonb') actor!:
    | { member_id: string; key_id: string | null }
    | { guest: string; via?: 'manage_link' }
    | { system: string; operator?: string };
  /** The id of the changed object. */
  @ErasureKey('objects') @Column('text') object!: string;
  @Redacted(({ action, details }: AuditEntry) => eraseAuditDetails(action, details, KEPT_COLUMNS))
  @Column('jsonb')
  details!: Record<string, unknown>;
}

/**
 * A link of the chain of a workspace's audit log. The database adds it when an entry's transaction commits.
 */
@NotPersonal
@Entity('audit_links')
export class AuditLink {
  @PrimaryColumn('text') workspace_id!: string;
  /** 1 is the first link of the workspace. */
  @PrimaryColumn('bigint') position!: number;
  @Column('bigint') entry!: number;
  /** Null once the entry was erased: its digest then reveals nothing about it. */
  @Column('uuid', { nullable: true }) salt!: string | null;
  /** The digest of the entry as it was stored. */
  @Column('bytea') digest!: Buffer;
  /** The hash of the previous hash and this link. */
  @Column('bytea') hash!: Buffer;
  @Column('timestamptz') stored_at!: Date;
}

/** A job that fails for a workspace (docs/guides/runbook.md#a-job-fails-for-a-workspace). */
@NotPersonal
@Entity('job_failures')
export class JobFailure {
  @PrimaryColumn('text') workspace_id!: string;
  @PrimaryColumn('text') job!: SweptJob;
  /** The error message, for the operator of the service. */
  @Column('text') reason!: string;
  @Column('timestamptz', { default: () => 'now()' }) since!: Date;
  /**
   * It has also failed in the current run. When a run ends, failures that did not occur again are deleted.
   */
  @Column('boolean', { default: true }) again!: boolean;
}

/**
 * The Idempotency-Key header. A key is bound in the transaction that creates its object, so that a crash
 * leaves either both or neither.
 */
@NotPersonal
@Entity('idempotency_keys')
export class IdempotencyRecord {
  @PrimaryColumn('text') workspace_id!: string;
  @PrimaryColumn('text') key!: string;
  /** SHA-256 of the request that was sent with the key. */
  @Column('bytea') fingerprint!: Buffer;
  @Column('text') object_id!: string;
  @Column('timestamptz', { default: () => 'now()' }) created_at!: Date;
}
